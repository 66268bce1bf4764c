"""What to do, in words: questions worth asking, cards to show, and when to accuse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

from symkripke.engines import Engine
from symkripke.errors import InputError, RuleError, check_name
from symkripke.explain.text import listed, percent
from symkripke.language import K
from symkripke.model import Perspective
from symkripke.play import Advice, View
from symkripke.play.advisor import Advisor
from symkripke.play.dealing import location
from symkripke.play.options import Option, names
from symkripke.play.words import number_of, person
from symkripke_games.cluedo import knowledge
from symkripke_games.cluedo.asking import asked_by, out
from symkripke_games.cluedo.players.counting import Weighing, counting
from symkripke_games.cluedo.players.informative import SAMPLES as DEALS
from symkripke_games.cluedo.players.informative import Informative, shown_before
from symkripke_games.cluedo.questions import Question, Reply, Survey
from symkripke_games.cluedo.rules import (
    Accuse,
    Done,
    Happening,
    Setup,
    Show,
    Suggest,
    Suggestion,
    Triple,
)

CluedoView = View[Setup, Happening]

SAMPLES = 24
"""In so many deals that the player considers possible, it looks at what others could know."""


def advise(
    view: CluedoView,
    engine: Engine,
    number: int,
    *,
    rooms: Sequence[str] | None = None,
    show: Sequence[str] | None = None,
) -> Sequence[Advice]:
    """So many of the moves that are best for the viewer, the best first.

    To show: the card that tells least. At the end of the turn: to accuse, or not. Else the
    questions that tell most, or, if the solution is known, to accuse. None for a player who has
    accused wrongly.

    Args:
        view: what the player has.
        engine: who answers. Whether to accuse is weighed as the minds weigh it, whatever the
            weighting of the engine: players who can show several cards choose by chance.
        number: how many at most.
        rooms: only questions in one of these rooms.
        show: who asks, and for which three cards: which card to show, though it is not asked now.

    Raises:
        InputError: `number` is negative, or there is no such room, player or card.
        RuleError: the viewer has none of the cards that it is to show.
        Unsupported: the engine has no chains.
    """
    if number < 0:
        raise InputError(f"expected a number of suggestions of 0 or more, got {number}")
    if rooms is not None:
        rooms = [_named(view.setup, room, view.setup.edition.rooms) for room in rooms]
    if show is not None:
        return _shows(view, engine, *_asked_of(view, show))[:number]
    kind = "act" if view.decision is None else view.decision.kind
    if kind == "show":
        assert view.decision is not None
        assert view.decision.options is not None
        assert isinstance(view.decision.pending, Suggestion)
        cards = [option.card for option in view.decision.options]
        return _shows(view, engine, view.decision.pending, cards)[:number]
    if kind == "accuse":
        now = _accusations(view, engine)
        if len(now) < number and now[0].move == Done():
            later = _questions(view, engine, number - len(now), rooms)
            now += [replace(ask, title=f"next turn: {ask.title}", move=None) for ask in later]
        return now[:number]
    if view.player in out(view):
        return []
    known = _known(view, engine)
    return (_questions(view, engine, number, rooms) if known is None else [known])[:number]


# ---- questions -----------------------------------------------------------------------------------


def _questions(
    view: CluedoView, engine: Engine, number: int, rooms: Sequence[str] | None
) -> list[Advice]:
    """So many of the questions that tell most, in these rooms."""
    survey = Survey(engine, view)
    questions = survey.ranked(number if rooms is None else None)
    if rooms is not None:
        questions = [question for question in questions if question.cards[2] in rooms]
    return [_told(view.setup, survey, question) for question in questions[:number]]


def _told(setup: Setup, survey: Survey, question: Question) -> Advice:
    return Advice(
        f"ask for {_cards(setup, question.cards)}",
        question.gain,
        _reason(survey, question),
        {
            "cards": list(question.cards),
            "gain": question.gain,
            "uncertainty": survey.uncertainty,
            "replies": [_data(reply) for reply in question.replies],
        },
        Suggest(question.cards),
    )


def _cards(setup: Setup, cards: Triple) -> str:
    return ", ".join(knowledge.title(setup, card) for card in cards)


def _reason(survey: Survey, question: Question) -> str:
    """How many answers, and who is to be expected to show a card, the likeliest first."""
    number = len(question.replies)
    shows: dict[str | None, float] = defaultdict(float)
    for reply in question.replies:
        shows[reply.shower] += reply.probability
    likely = sorted(shows.items(), key=lambda pair: -round(pair[1], 9))
    told = [
        f"{person(who)} shows a card ({_percent(share)})"
        if who is not None
        else f"nobody shows one ({_percent(share)})"
        for who, share in likely
    ]
    left = max(0.0, survey.uncertainty - question.gain)
    each = ", one for each card that can be shown" if number > len(told) else ""
    return (
        f"{number} {'answer' if number == 1 else 'answers'} possible{each}: {'; '.join(told)}. "
        f"Remaining uncertainty about the solution: {survey.uncertainty:.2f} bits now, {left:.2f} "
        "on average after the answer"
    )


def _percent(share: float) -> str:
    if 0 < share < 0.01:
        return "less than 1%"
    return "more than 99%" if 0.99 < share < 1 - 1e-9 else f"{share:.0%}"


def _data(reply: Reply) -> dict[str, Any]:
    return {
        "passes": list(reply.passes),
        "shower": reply.shower,
        "card": reply.card,
        "probability": reply.probability,
    }


def _named(setup: Setup, name: str, cards: Sequence[Any]) -> str:
    """The card that is meant by its short name or its title; raises `UnknownName`."""
    wanted = name.strip().casefold().replace(" ", "_")
    for card in cards:
        if wanted in (card.id.casefold(), card.title.casefold().replace(" ", "_")):
            return str(card.id)
    check_name("room" if cards is setup.edition.rooms else "card", name, [c.id for c in cards])
    return name


# ---- which card to show --------------------------------------------------------------------------


def _asked_of(view: CluedoView, told: Sequence[str]) -> tuple[Suggestion, list[str]]:
    """The question that a text tells of, and the cards that the viewer could show to it."""
    setup = view.setup
    if len(told) != 4:
        raise InputError(
            f"show: expected who asks and three cards, as in green,rope,hall,plum, got {len(told)}"
        )
    asker, *named = told
    check_name("player", asker.casefold(), [name for name in setup.players if name != view.player])
    cards = [_named(setup, card, setup.edition.cards) for card in named]
    kinds = setup.edition.categories
    by_kind = [[card for card in cards if card in [c.id for c in kind]] for kind in kinds]
    if any(len(found) != 1 for found in by_kind):
        raise InputError("show: expected a suspect, a weapon and a room")
    held = {
        atom.fluent
        for atom in view.perspective.seen
        if atom.fluent.functor == "location" and atom.value == view.player
    }
    mine = [card for card in cards if location(card) in held]
    if not mine:
        raise RuleError(f"{person(view.player)} has none of these cards: it passes")
    order = setup.after(asker.casefold())
    asked = Suggestion(
        turn=view.record[-1].turn + 1 if view.record else 1,
        player=asker.casefold(),
        cards=(by_kind[0][0], by_kind[1][0], by_kind[2][0]),
        passes=order[: order.index(view.player)],
        shower=view.player,
    )
    return asked, mine


def _shows(
    view: CluedoView, engine: Engine, asked: Suggestion, cards: Sequence[str]
) -> list[Advice]:
    """The cards that can be shown, the least telling first."""
    asker = person(asked.player)
    before = shown_before(view, asked.player)
    mind = Informative(engine, Random("which card to show"))
    bits = (total / DEALS for total in mind.left(view, asked, cards))
    left = dict(zip(cards, bits, strict=True))
    found = []
    for card in cards:
        title = knowledge.title(view.setup, card)
        many = 2 ** left[card]
        reason = f"{asker} would be left with {many:.0f} solutions, on average"
        if len(cards) == 1:
            reason = "you have no other card to show"
        elif card in before:
            reason = f"{asker} has seen it with you before: it learns nothing new"
        found.append(
            Advice(
                f"show {title}",
                left[card],
                reason,
                {"card": card, "left": left[card], "seen": card in before},
                Show(card),
                "bits left",
            )
        )
    found.sort(key=lambda advice: (not advice.data["seen"], -round(advice.gain, 9)))
    return found


# ---- when to accuse ------------------------------------------------------------------------------


_SHOWN_BY_CHANCE = ", if players who can show several cards choose by chance"
"""How solutions are weighed here: all players do so, and it fits best how people play."""


def _known(view: CluedoView, engine: Engine) -> Advice | None:
    """To accuse, if the solution is known."""
    left = Weighing(engine, Random(0)).solutions(view)
    return _accuse(view, left[0], Fraction(1), "you know the solution") if len(left) == 1 else None


def _accuse(view: CluedoView, cards: Triple, share: Fraction, reason: str) -> Advice:
    return Advice(
        f"accuse {_cards(view.setup, cards)}",
        float(share),
        reason,
        {"accuse": list(cards), "right": str(share)},
        Accuse(cards),
        "chance",
        "to be right",
    )


def _accusations(view: CluedoView, engine: Engine) -> list[Advice]:
    """To accuse now, or to wait: by the chance to be right, and that to have another turn.

    Who accuses now wins with the probability of the solution. Who waits wins at most if nobody
    else in the race knows the solution by now: all of them move before it does.
    """
    mind = Weighing(engine, Random(0))
    odds = mind.odds(view)
    best, share = max(odds.items(), key=lambda pair: pair[1])
    if share == 1:
        return [_accuse(view, best, share, "you know the solution")]
    nobody, told = 0.0, "nobody is left to be asked: nothing more can be learned"
    if asked_by(view):
        nobody, told = _others_open(view, engine)
    wait = Advice(
        "do not accuse yet",
        nobody,
        f"{told}; the most probable of {number_of(len(odds), 'solution')} has a probability of "
        f"{percent(share)}{_SHOWN_BY_CHANCE}",
        {"wait": True, "nobody_knows": nobody},
        Done(),
        "chance",
        "that nobody else knows the solution yet",
    )
    if share < nobody:
        return [wait]
    right = f"the chance that this is right is {percent(share)}{_SHOWN_BY_CHANCE}"
    reason = f"{told}; {right}; else you are out"
    return [_accuse(view, best, share, reason), wait]


def _others_open(view: CluedoView, engine: Engine) -> tuple[float, str]:
    """How probable it is that nobody else in the race knows the solution, and why, in words."""
    racing = [player for player in view.setup.after(view.player) if player not in out(view)]
    knows = {player: knowledge.knows_solution(player) for player in racing}
    sure = [p for p in racing if engine.holds(view.perspective, K(view.player, knows[p]))]
    if sure:
        verb = "know" if len(sure) > 1 else "knows"
        who = listed([person(player) for player in sure])
        return 0.0, f"{who} {verb} the solution, and will accuse before your next turn"
    structure = view.perspective.structure
    names = list(structure.vocabulary.fluents)
    deals = counting(engine).sample(view.perspective, SAMPLES, Random("who knows"), names)
    atoms = knowledge.envelope_atoms(view.setup)
    times = dict.fromkeys(racing, 0)
    nobody = 0
    for deal in deals:
        some = False
        for player in racing:
            seen = frozenset(
                observable.atom
                for observable in structure.observables[player]
                if deal[observable.atom.fluent] == observable.atom.value
            )
            if len(engine.possibilities(Perspective(structure, player, seen), atoms)) == 1:
                times[player] += 1
                some = True
        nobody += not some
    likely = [player for player in racing if times[player]]
    share = nobody / len(deals)
    if not likely:
        return share, "as far as you can tell, nobody else knows the solution yet"
    told = [f"{person(p)} ({_percent(times[p] / len(deals))})" for p in likely]
    return share, f"these may know the solution already: {', '.join(told)}"


class CluedoAdvisor(Advisor[Setup, Happening]):
    """What to ask, to show, and when to accuse."""

    options: ClassVar[Mapping[str, Option]] = {
        "rooms": Option("only questions in these rooms, as in hall,study", names),
        "show": Option(
            "which card to show to whom: who asks, and for what, as in green,rope,hall,plum", names
        ),
    }

    def advise(
        self, view: View[Setup, Happening], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """See `advise`."""
        return advise(view, engine, number, **options)
