"""The encoding: the knowledge after the deal, and the information in events.

Fluents: `card(p, n)` is the kind of the card in place n of a player's hand. When another card is
drawn to this place, the fluent changes to an unknown value; so there is one version for each card
that has been drawn, and none for the cards in the deck. A kind has at most as many cards as there
are copies. Likelihoods weigh each world by the number of arrangements of the deck that begin with
these cards (`symkripke.play.draws`). The fluent `use(k)` says whether a kind of card is playable,
becomes playable later, or is useless. Everybody knows it.

All players see the cards of the others. Hints are announcements: the named cards have the colour or
the rank, and the other cards of the hand do not have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import groupby
from typing import Any

from symkripke import model
from symkripke.language import Atom, Formula, Name, conjunction, disjunction, negation
from symkripke.model import Constraint, Origin
from symkripke.play import Outcome
from symkripke.play.draws import drawn
from symkripke.play.words import person
from symkripke_games.hanabi import rules
from symkripke_games.hanabi.rules import NONE, PLAYABLE, Happening, Hint, Setup, State, card_name


def is_among(player: str, place: int | str, kinds: Iterable[str]) -> Formula:
    """Return the formula stating that the card in this place is of one of these kinds."""
    return disjunction(Atom(card_name(player, place), kind) for kind in kinds)


def is_a(setup: Setup, player: str, place: str, word: str) -> Formula:
    """Return the formula stating that the card is of this colour, of this rank or of this use."""
    if word not in rules.USES:
        return is_among(player, place, [kind for kind in setup.kinds if word in kind.split("_")])
    uses = {kind: Atom(f"use({kind})", word) for kind in setup.kinds}
    return disjunction(is_among(player, place, [kind]) & now for kind, now in uses.items())


def kind_title(kind: str) -> str:
    """Return the title of a kind of card: "red 3"."""
    return "no card" if kind == NONE else kind.replace("_", " ")


def hands(setup: Setup, world: Mapping[str, str]) -> dict[str, str]:
    """Return the hands of players in words."""
    titles = {at: kind_title(world[n]) for at in setup.places if (n := card_name(*at)) in world}
    by_player = groupby(titles, lambda at: at[0])
    return {player: ", ".join(titles[at] for at in held) for player, held in by_player}


def _words(atom: Atom, truth: bool) -> str:
    arguments = atom.fluent.arguments
    verb = f"{'was' if atom.fluent.is_version else 'is'}{'' if truth else ' not'}"
    if atom.fluent.functor == "card":
        return f"card {arguments[1]} of {person(arguments[0])} {verb} {kind_title(atom.value)}"
    return f"{kind_title(arguments[0])} {verb} {atom.value}"


# ---- the setup -----------------------------------------------------------------------------


@cache
def structure(setup: Setup) -> model.KnowledgeStructure:
    """Return the first structure; equal setups give the same object."""
    names = [card_name(*at) for at in setup.places]
    source = Origin("each card has one colour and one rank", kind="rule")
    public = State.first(setup, None).facts
    dealt = Origin("the cards are dealt from the deck", kind="deal")
    law, likelihoods = drawn(setup.kinds, (), names, dealt)
    law += tuple(Constraint(negation(Atom(name, NONE)), dealt) for name in names)
    begun = Origin("no card has been played yet", kind="deal")
    facts = tuple(Constraint(Atom(*each), begun) for each in public.items())
    places = tuple(dict.fromkeys(str(place) for _, place in setup.places))
    in_hand = (("player", setup.players), ("place", places))
    titles = {f: rules.feature_title(f) for f in (*setup.suits, *setup.features)}
    words, has = (*in_hand, ("colour or rank", tuple(titles))), partial(is_a, setup)
    said, shown = _said("{colour or rank}"), {"colour or rank": titles}
    definitions = [model.Definition("has", words, has, "the card has it", None, said, shown)]
    for use in (PLAYABLE, rules.USELESS):
        body, meaning = partial(is_a, setup, word=use), f"the card is {use} now"
        definitions.append(model.Definition(use, in_hand, body, meaning, sentence=_said(use)))
    fluents = [model.Fluent(name, (*setup.kinds, NONE), source) for name in names]
    fluents += [model.Fluent(name, rules.USES) for name in public]
    named = model.Vocabulary.of(fluents, setup.players, definitions=definitions, wording=_words)
    hands = {at: _sees(setup, *at, "the hands of the others") for at in setup.places}
    seen = {p: [s for at in hands if at[0] != p for s in hands[at]] for p in setup.players}
    return model.KnowledgeStructure.of(named, law, seen, likelihoods=likelihoods, facts=facts)


def _said(what: str) -> tuple[str, str]:
    return "card {place} of {player} is " + what, "card {place} of {player} is not " + what


def _sees(setup: Setup, player: str, place: int, text: str) -> tuple[model.Observable, ...]:
    source, name = Origin(text, None, (player,), "hand"), card_name(player, place)
    return tuple(model.Observable(Atom(name, kind), source) for kind in setup.kinds)


# ---- events --------------------------------------------------------------------------------


def event(setup: Setup, state: Any, outcome: Outcome[Happening]) -> model.Event:
    """Return the event of a hint, or of a card that is played or discarded."""
    public = outcome.public
    who, agents = person(public.player), (public.player,)
    if isinstance(public, Hint):
        return _hint(setup, state, public)
    did = f"{'discarded' if public.fits is None else 'played'} {kind_title(public.kind)}"
    source = Origin(f"turn {public.turn}: {who} {did}", public.turn, agents, "card")
    name = card_name(*public.at)
    law: tuple[Constraint, ...] = (Constraint(Atom(name, public.kind), source),)
    after = replace(state, cards=None).follow(Outcome(public, {}))
    new_uses = sorted(after.facts.items() - state.facts.items())
    changes = [model.Change(fluent, use, source) for fluent, use in new_uses]
    if not public.draws:
        return model.Event(source, law, changes=(*changes, model.Change(name, NONE, source)))
    deck = Origin(f"turn {public.turn}: {who} drew a card", public.turn, agents, "draw")
    new = Name.of(name).at(state.drawn.count(public.at))
    hands = [card_name(*at) for at in setup.places if at != public.at]
    more, likelihoods = drawn(setup.kinds, hands, (new,), deck, after.shown)
    seen = _sees(setup, *public.at, f"the card that {who} drew in turn {public.turn}")
    return model.Event(
        source,
        (*law, *more, Constraint(negation(Atom(new, NONE)), deck)),
        observes={other: seen for other in setup.after(public.player)},
        changes=(*changes, model.Change(name, None, deck)),
        likelihoods=likelihoods,
    )


def _hint(setup: Setup, state: State, public: Hint) -> model.Event:
    told, about = person(public.told), rules.feature_title(public.feature)
    text = f"turn {public.turn}: {person(public.player)} told {told} about {about}"
    agents = (public.player, public.told)
    source = Origin(text, public.turn, agents, "hint")
    kinds = [kind for kind in setup.kinds if rules.touches(public.feature, kind)]
    fits = {place: is_among(public.told, place, kinds) for place in state.by_age(public.told)}
    named = (fit if place in public.places else negation(fit) for place, fit in fits.items())
    law = [Constraint(conjunction(named), source)]
    if promised := state.promised(public):
        meant = f"{text}: by convention, such cards are playable"
        by_convention = Origin(meant, public.turn, agents, "convention")
        fit = conjunction(is_among(public.told, place, state.uses[PLAYABLE]) for place in promised)
        law.append(Constraint(fit, by_convention))
    return model.Event(source, tuple(law))
