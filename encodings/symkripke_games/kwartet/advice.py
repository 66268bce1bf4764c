"""Advice on questions, in words: the chance of a yes, and the information given away."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symkripke.engines import Engine, counter
from symkripke.explain.text import percent
from symkripke.play import Advice
from symkripke.play.advisor import Advisor
from symkripke.play.hands import holds
from symkripke.play.words import number_of, person
from symkripke_games.kwartet.knowledge import title
from symkripke_games.kwartet.notes import Hand, KwartetView, Reader, is_told
from symkripke_games.kwartet.rules import Ask, Happening, PassTo, Question, Setup


class KwartetAdvisor(Advisor[Setup, Happening]):
    """Advice on questions."""

    noun = ("question", "questions")

    def advise(
        self, view: KwartetView, engine: Engine, number: int, **options: Any
    ) -> Sequence[Advice]:
        """Return the questions that may be answered yes, best first; or the players to pass to."""
        if view.decision is not None and view.decision.kind == "pass":
            return _passes(view)
        return [asked for asked in questions(view, engine) if asked.gain]

    def weigh(self, view: KwartetView, engine: Engine, event: Happening) -> Sequence[Advice]:
        """Return all questions for cards that the player lacks, best first."""
        return questions(view, engine)

    def made(
        self, view: KwartetView, engine: Engine, event: Happening, moves: Sequence[Advice]
    ) -> Advice | None:
        """Return the advice for the actual question; a bluff is certain to fail."""
        bluff = Advice("", 0.0, unit="chance", aim=_AIM, rank=(False, False, Fraction(-1), 0))
        return super().made(view, engine, event, moves) or (
            bluff if isinstance(event, Question) else None
        )


_AIM = "of a yes"


def questions(view: KwartetView, engine: Engine) -> list[Advice]:
    """Return all questions for cards that the player lacks, in the order of `second-order`.

    Questions that are certain to succeed come first. Next come questions about groups that
    everybody knows the player to hold, because they reveal nothing. After that, questions are
    ordered by the chance of a yes, then by the number of missing cards of the group, fewest first.
    Questions that are certain to fail come last.
    """
    hand = Hand(view, Reader())
    setup, structure = view.setup, view.perspective.structure
    atoms = {(player, card): holds(player, card) for player in hand.others for card in hand.wanted}
    shares = counter(engine).marginals(view.perspective, list(atoms.values())) if atoms else {}
    revealed = {
        group: is_told(engine, structure, hand.board, hand.player, group) for group in hand.groups
    }
    ranked = []
    for (asked, card), atom in atoms.items():
        yes, group, who = shares[atom], setup.group_of[card], person(asked)
        lacking = sum(other not in hand.own for other in setup.cards_of[group])
        reasons = (
            f"{who} has it for sure"
            if yes == 1
            else f"the chance that {who} has it is {percent(yes)}",
            f"everybody already knows that you hold a card of {title(setup, group)}"
            if revealed[group]
            else f"the question tells the others that you hold a card of {title(setup, group)}",
            f"then {number_of(lacking - 1, 'card')} would still be missing"
            if lacking > 1
            else "it completes the group",
        )
        ranked.append(
            Advice(
                f"ask {who} for {title(setup, card)}",
                float(yes),
                "; ".join(reasons),
                {
                    "asked": asked,
                    "card": card,
                    "yes": str(yes),
                    "tells": not revealed[group],
                    "lacking": lacking,
                },
                Ask(asked, card),
                "chance",
                _AIM,
                (yes == 1, yes > 0 and revealed[group], yes, -lacking),
            )
        )
    return sorted(ranked, key=lambda advice: advice.rank, reverse=True)


def _passes(view: KwartetView) -> list[Advice]:
    """Return the players to whom a player without cards can pass, fewest laid-down groups first."""
    assert view.decision is not None
    assert view.decision.options is not None
    points = Reader().read(view).points
    return [
        Advice(
            f"pass the turn to {person(player)}",
            0.0,
            f"{person(player)} has {number_of(points[player], 'group')}",
            {"player": player, "groups": points[player]},
            PassTo(player),
            unit="chance",
        )
        for player in sorted(
            (option.player for option in view.decision.options), key=points.__getitem__
        )
    ]
