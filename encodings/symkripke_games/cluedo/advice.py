"""Advice in words: which questions to ask, which card to show, and when to accuse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from itertools import islice
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
from symkripke.play.player import counting
from symkripke.play.words import number_of, person
from symkripke_games.cluedo import knowledge
from symkripke_games.cluedo.asking import asked_by, out
from symkripke_games.cluedo.players.counting import Weighing
from symkripke_games.cluedo.players.informative import SAMPLES as DEALS
from symkripke_games.cluedo.players.informative import Informative, shown_before
from symkripke_games.cluedo.questions import CandidateQuestion, Survey
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
"""The number of deals for which a player considers the knowledge of the others."""


class CluedoAdvisor(Advisor[Setup, Happening]):
    """Advice on questions, on cards to show, and on accusing.

    Advice on accusing weighs solutions as the strategies do, whatever the weighting of the engine:
    it assumes that players who can show several cards choose at random.

    Attributes:
        survey: the survey of all questions from the latest call of `weigh`.
    """

    survey: Survey

    options: ClassVar[Mapping[str, Option]] = {
        "rooms": Option("only questions in these rooms, as in hall,study", names),
        "show": Option(
            "which card to show to whom: who asks, and for what, as in green,rope,hall,plum", names
        ),
    }
    noun = ("question", "questions")

    def advise(
        self, view: View[Setup, Happening], engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """Return the best moves for the viewer, best first.

        If the viewer must show a card, return all cards that they can show, least informative
        first. At the end of their turn, advise whether to accuse. Otherwise, return the `number`
        most informative questions, or an accusation if the viewer knows the solution. Return
        nothing for a player who has accused wrongly.

        Raises:
            InputError: the option `rooms` or `show` is wrong.
            UnknownName: a room, player or card is unknown.
            RuleError: the viewer has none of the cards given in the option `show`.
            Unsupported: the engine has no chains.
        """
        rooms, show = options.get("rooms"), options.get("show")
        if rooms is not None:
            rooms = [_named(view.setup, room, view.setup.edition.rooms) for room in rooms]
        if show is not None:
            return _shows(view, engine, *_asked_of(view, show))
        decision = view.decision
        if decision is not None and decision.kind == "show":
            assert decision.options is not None
            assert isinstance(decision.pending, Suggestion)
            return _shows(view, engine, decision.pending, [move.card for move in decision.options])
        if decision is not None and decision.kind == "accuse":
            now = _accusations(view, engine)
            if len(now) < number and now[0].move == Done():
                later = _questions(view, engine, number - len(now), rooms)
                now += [replace(ask, title=f"next turn: {ask.title}", move=None) for ask in later]
            return now
        if view.player in out(view):
            return []
        left = Weighing(engine, Random(0)).solutions(view)
        if len(left) == 1:
            return [_accuse(view, left[0], Fraction(1), "you know the solution")]
        return _questions(view, engine, number, rooms)

    def weigh(
        self, view: View[Setup, Happening], engine: Engine, event: Happening
    ) -> Sequence[Advice]:
        """Return all questions, best first, without reasons, which take longer to compute."""
        self.survey = Survey(engine, view)
        return [
            Advice(_asks(view.setup, cards), gain, move=Suggest(cards))
            for cards, gain in self.survey.best_first
        ]


# ---- questions -----------------------------------------------------------------------------------


def _questions(
    view: CluedoView, engine: Engine, number: int, rooms: Sequence[str] | None
) -> list[Advice]:
    """Return the `number` most informative questions in these rooms."""
    survey = Survey(engine, view)
    ranked = (cards for cards, _ in survey.best_first if rooms is None or cards[2] in rooms)
    return [_told(view.setup, survey, survey.asking(cards)) for cards in islice(ranked, number)]


def _told(setup: Setup, survey: Survey, question: CandidateQuestion) -> Advice:
    return Advice(
        _asks(setup, question.cards),
        question.gain,
        _reason(survey, question),
        {
            "cards": list(question.cards),
            "gain": question.gain,
            "uncertainty": survey.uncertainty,
            "replies": [
                {**asdict(reply), "passes": list(reply.passes)} for reply in question.replies
            ],
        },
        Suggest(question.cards),
    )


def _asks(setup: Setup, cards: Triple) -> str:
    return f"ask for {_cards(setup, cards)}"


def _cards(setup: Setup, cards: Triple) -> str:
    return ", ".join(knowledge.title(setup, card) for card in cards)


def _reason(survey: Survey, question: CandidateQuestion) -> str:
    """Return the reason for a question: the probabilities of answers, and the uncertainty."""
    number = len(question.replies)
    shows: dict[str | None, float] = defaultdict(float)
    for reply in question.replies:
        shows[reply.shower] += reply.probability
    likely = sorted(shows.items(), key=lambda pair: -round(pair[1], 9))
    parts = [
        f"{'nobody shows one' if who is None else f'{person(who)} shows a card'} "
        f"({_percent(share)})"
        for who, share in likely
    ]
    left = max(0.0, survey.uncertainty - question.gain)
    each = ", one for each card that can be shown" if number > len(parts) else ""
    return (
        f"{number_of(number, 'answer')} possible{each}: {'; '.join(parts)}. "
        f"Remaining uncertainty about the solution: {survey.uncertainty:.2f} bits now, {left:.2f} "
        "on average after the answer"
    )


def _percent(share: float) -> str:
    if 0 < share < 0.01:
        return "less than 1%"
    return "more than 99%" if 0.99 < share < 1 - 1e-9 else f"{share:.0%}"


def _named(setup: Setup, name: str, cards: Sequence[Any]) -> str:
    """Return the card with this short name or title; raise `UnknownName` if there is none."""
    wanted = name.strip().casefold().replace(" ", "_")
    for card in cards:
        if wanted in (card.id.casefold(), card.title.casefold().replace(" ", "_")):
            return str(card.id)
    check_name("room" if cards is setup.edition.rooms else "card", name, [c.id for c in cards])
    return name


# ---- which card to show --------------------------------------------------------------------------


def _asked_of(view: CluedoView, parts: Sequence[str]) -> tuple[Suggestion, list[str]]:
    """Return the question in the option `show`, and the cards that the viewer could show."""
    setup = view.setup
    if len(parts) != 4:
        raise InputError(
            "show: expected the asking player and three cards, as in "
            f"green,rope,hall,plum, got {len(parts)}"
        )
    asker, *named = parts
    check_name("player", asker.casefold(), [name for name in setup.players if name != view.player])
    cards = [_named(setup, card, setup.edition.cards) for card in named]
    kinds = setup.edition.categories
    by_kind = [[card for card in cards if card in [c.id for c in kind]] for kind in kinds]
    if any(len(members) != 1 for members in by_kind):
        raise InputError("show: expected a suspect, a weapon and a room")
    held = {
        atom.fluent
        for atom in view.perspective.seen
        if atom.fluent.functor == "location" and atom.value == view.player
    }
    mine = [card for card in cards if location(card) in held]
    if not mine:
        raise RuleError(f"{person(view.player)} has none of these cards and passes")
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
    """Return the advice to show each of these cards, the least informative card first."""
    asker = person(asked.player)
    before = shown_before(view, asked.player)
    mind = Informative(engine, Random("which card to show"))
    ranked = []
    for card, total in zip(cards, mind.left(view, asked, cards), strict=True):
        left, seen = total / DEALS, card in before
        reason = f"{asker} would be left with {2**left:.0f} solutions, on average"
        if len(cards) == 1:
            reason = "you have no other card to show"
        elif seen:
            reason = f"{asker} has already seen this card in your hand, and learns nothing new"
        ranked.append(
            Advice(
                f"show {knowledge.title(view.setup, card)}",
                left,
                reason,
                {"card": card, "left": left, "seen": seen},
                Show(card),
                "bits left",
                rank=(seen, round(left, 9)),
            )
        )
    return sorted(ranked, key=lambda advice: advice.rank, reverse=True)


# ---- when to accuse ------------------------------------------------------------------------------


_SHOWN_BY_CHANCE = ", if players who can show several cards choose by chance"
"""The assumption in the probabilities of solutions. All strategies share it."""


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
    """Return the advice to accuse now and the advice to wait, better first.

    A player who accuses now wins with the probability of the solution. A player who waits can win
    only if no other player in the race knows the solution already, because all of them move first.
    """
    mind = Weighing(engine, Random(0))
    odds = mind.odds(view)
    best, share = max(odds.items(), key=lambda pair: pair[1])
    if share == 1:
        return [_accuse(view, best, share, "you know the solution")]
    nobody, remark = 0.0, "nobody is left to ask, so nothing more can be learned"
    if asked_by(view):
        nobody, remark = _others_open(view, engine)
    wait = Advice(
        "do not accuse yet",
        nobody,
        f"{remark}; the most probable of {number_of(len(odds), 'solution')} has a probability of "
        f"{percent(share)}{_SHOWN_BY_CHANCE}",
        {"wait": True, "nobody_knows": nobody},
        Done(),
        "chance",
        "that nobody else knows the solution yet",
    )
    if share < nobody:
        return [wait]
    right = f"the chance that this is right is {percent(share)}{_SHOWN_BY_CHANCE}"
    reason = f"{remark}; {right}; otherwise you are out"
    return [_accuse(view, best, share, reason), wait]


def _others_open(view: CluedoView, engine: Engine) -> tuple[float, str]:
    """Return the probability that no rival knows the solution, with a reason in words."""
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
    rivals = [f"{person(p)} ({_percent(times[p] / len(deals))})" for p in likely]
    return share, f"these may know the solution already: {', '.join(rivals)}"
