"""The encoding: the information in the setup and the events of Sleuth, and who observes it.

Fluents: `location(gem)`, whose value is a player, `hidden`, or `table` (face up). Each player
observes, for each gem, whether they hold it. `holds(p, rds)` means that p holds the Red Diamond
Solitaire. `RDS` means that this gem is in play, that is, not hidden. So `K[p] RDS` and
`holds(p, rds)` differ.

When a player announces a number, the law gets a constraint on the number of gems that the player
holds. When gems are shown to an asker, the asker observes from then on, for each requested gem,
whether the asked player holds it. No new fluents are needed for this. By the study's rules, others
do not learn how many gems are shown. A fluent `answer(turn)` then records whether any gem was
shown. The two players involved can deduce its value; the fluent exists so that records can contain
it.

All deals are equally likely, and answers are forced, so worlds need no weights.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from symkripke.explain.text import listed
from symkripke.language import (
    Atom,
    Formula,
    Iff,
    Kv,
    conjunction,
    disjunction,
    exactly,
    negation,
)
from symkripke.model import (
    Constraint,
    Definition,
    DerivedFluent,
    Event,
    Fluent,
    KnowledgeStructure,
    Observable,
    Origin,
    Vocabulary,
)
from symkripke.play.hands import (
    at,
    claimed,
    hold_numbers,
    holds,
    in_one_place,
    own_hand,
    place_words,
)
from symkripke.play.words import person
from symkripke_games.sleuth.gems import HIDDEN, TABLE, Edition, Elements
from symkripke_games.sleuth.rules import (
    NOTHING,
    SOME,
    Declaration,
    Happening,
    Opening,
    Question,
)
from symkripke_games.sleuth.setup import CLASSIC, ROW, Setup, answer_name

ANSWER = "hidden_gem"
"""The name of the fluent for the hidden gem: `Kv[ann] hidden_gem`, `hidden_gem = rds`."""


def in_play(gem: str) -> Formula:
    """Return the formula stating that the gem is not hidden."""
    return negation(at(gem, HIDDEN))


def knows_gem(player: str) -> Formula:
    """Return the formula stating that the player knows which gem is hidden."""
    return Kv(player, (ANSWER,))


def hidden_atoms(setup: Setup) -> tuple[Atom, ...]:
    """Return, for each gem, the atom stating that it is hidden."""
    return tuple(at(gem.id, HIDDEN) for gem in setup.edition.gems)


def asked_for(edition: Edition, elements: Elements) -> str:
    """Return the subject of a question in words: "Red Diamond gems"."""
    return f"{' '.join(edition.titles[element] for element in elements)} gems"


def gems_in_words(edition: Edition, gems: tuple[str, ...]) -> str:
    """Return these gems in words: "the Red Opal Pair and the Red Opal Cluster"."""
    return listed([f"the {edition.titles[gem]}" for gem in gems]) or "no gem"


def _words(titles: dict[str, str], atom: Atom, truth: bool) -> str:
    if atom.fluent.functor == "answer":
        some = "some gem" if (atom.value == SOME) == truth else "no gem"
        return f"{some} was shown in turn {atom.fluent.arguments[0]}"
    return place_words(titles, {HIDDEN: "the hidden gem", TABLE: "face up"}, atom, truth)


@cache
def structure(setup: Setup) -> KnowledgeStructure:
    """Return the first structure: before any gem lies face up, only the hand sizes are known.

    Equal setups give the same object, so that engines can reuse their results.
    """
    gems = setup.edition.gems
    titles = {gem.id: gem.title for gem in gems}
    ids = tuple(titles)
    law = [Constraint(exactly(1, hidden_atoms(setup)), Origin("one gem is hidden", kind="rule"))]
    law += hold_numbers(setup.sizes, ids, "holds", "gem")
    if setup.left:
        law.append(
            Constraint(
                exactly(setup.left, [at(gem, TABLE) for gem in ids]),
                Origin(f"the {setup.left} gems that are left over lie face up", kind="deal"),
            )
        )
    held = (("player", setup.players), ("gem", ids))
    definitions = [
        Definition("holds", held, holds, "the player holds it"),
        Definition("at", (("gem", ids), ("place", setup.places)), at, "the gem is there"),
        # These precede `in_play`, so that answers prefer their names: `K[ann] RDS`.
        *(
            Definition(gem.id.upper(), (), partial(in_play, gem.id), f"the {gem.title} is in play")
            for gem in gems
        ),
        Definition("in_play", (("gem", ids),), in_play, "it is not the hidden gem"),
        Definition(
            "knows_gem",
            (("player", setup.players),),
            knows_gem,
            "the player knows the hidden gem",
            sentence=("{player} knows the hidden gem", "{player} does not know the hidden gem"),
        ),
    ]
    vocabulary = Vocabulary.of(
        in_one_place(titles, setup.places, "the {} is in one place only"),
        setup.players,
        definitions=definitions,
        derived=[DerivedFluent(ANSWER, tuple((gem, at(gem, HIDDEN)) for gem in ids))],
        wording=partial(_words, {gem: f"the {title}" for gem, title in titles.items()}),
    )
    return KnowledgeStructure.of(vocabulary, law, own_hand(setup.players, ids))


def event(setup: Setup, public: Happening) -> Event:
    """Return the event of the model for an event of the game."""
    if isinstance(public, Opening):
        return _opening(setup, public)
    if isinstance(public, Question):
        return _question(setup, public)
    return _declaration(setup, public)


def _opening(setup: Setup, public: Opening) -> Event:
    source = Origin(f"{ROW} question cards were laid before each player", kind="deal")
    if not public.up:
        return Event(source)
    verb = "lies" if len(public.up) == 1 else "lie"
    origin = Origin(f"{gems_in_words(setup.edition, public.up)} {verb} face up", kind="deal")
    return Event(source, (Constraint(conjunction(at(gem, TABLE) for gem in public.up), origin),))


def _question(setup: Setup, public: Question) -> Event:
    asker, asked, turn = person(public.player), person(public.asked), f"turn {public.turn}"
    what = asked_for(setup.edition, public.elements)
    gems = [holds(public.asked, gem) for gem in setup.edition.matching(public.elements)]
    agents = (public.player, public.asked)
    source = Origin(f"{turn}: {asker} asked {asked} for {what}", public.turn, agents, "question")
    shown_gems = Origin(
        f"{turn}: {asked} showed {asker} the {what}", public.turn, agents[::-1], "show"
    )
    seen = {public.player: tuple(Observable(gem, shown_gems) for gem in gems)}
    if public.number is not None:
        origin = replace(source, text=f"{source}: {public.number}")
        shown = seen if len(public.elements) == 2 and public.number else {}
        return Event(origin, (Constraint(exactly(public.number, gems), origin),), observes=shown)
    fluent = Fluent(
        answer_name(public.turn), (NOTHING, SOME), replace(source, text=f"{source}: some, or none")
    )
    some = Atom(fluent.name, SOME)
    origin = replace(source, text=f"{source}, and was shown all that {asked} has")
    any_gems = replace(shown_gems, text=f"{turn}: {asker} saw whether {asked} showed any")
    seen[public.player] += tuple(Observable(atom, any_gems) for atom in fluent.atoms)
    law = Constraint(Iff(some, disjunction(gems)), origin)
    return Event(origin, (law,), (fluent,), seen)


def _declaration(setup: Setup, public: Declaration) -> Event:
    player = person(public.player)
    gem = setup.edition.titles[public.gem]
    said = Origin(
        f"turn {public.turn}: {player} declared that the {gem} is hidden",
        public.turn,
        (public.player,),
        "declaration",
    )
    looks = hidden_atoms(setup) if setup.rules == CLASSIC else ()
    look = f"turn {public.turn}, {player} looked at the hidden gem"
    return claimed(said, at(public.gem, HIDDEN), right=public.right, looks=looks, look=look)
