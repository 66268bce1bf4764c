"""The review of a game of Old Maid: the chances of the draws, and the way of the odd queen.

A draw is valued by the chance that it makes a pair. For each possible giver, this chance is the
expected number of ranks in common, divided by the giver's number of cards. The last queen in play
is the odd queen: whoever holds it at the end has lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random

from symkripke.engines import Mark
from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.text import listed, percent
from symkripke.play.review import (
    FAULT,
    LUCK,
    NEWS,
    Annotation,
    Appraisal,
    Figures,
    Measure,
    Past,
    Position,
    ReviewedEvent,
    Reviewer,
    annotated,
)
from symkripke.play.review.reviewer import unless_too_much
from symkripke.play.rules import Outcome
from symkripke.play.words import number_of
from symkripke_games.old_maid.knowledge import holds
from symkripke_games.old_maid.players import Epistemic, own_ranks
from symkripke_games.old_maid.rules import QUEEN, Draw, Happening, Setup, State, drawn_name

Here = Position[Setup, Happening]

# If the odd queen changes hands more often, its way is told in short.
_MANY = 5

# So many pairs more or fewer than expected are luck.
_LUCK = 0.5


class OldMaidReviewer(Reviewer[Setup, Happening]):
    """Values each draw, and tells who could know where the odd queen was."""

    ends_open = False

    def __init__(self, past: Past[Setup, Happening]) -> None:
        """Nobody knows anything yet."""
        super().__init__(past)
        self._counts = Epistemic(past.engine, Random(0))
        self._knew: set[str] = set()
        """Who could know where the odd queen is, after the last event."""
        self._once: set[str] = set()
        """Who could know that after any event."""
        self._expected: dict[str, list[tuple[Fraction, bool]]] = {}
        """For each player the chances of its draws to make a pair, and whether they did."""

    # ---- what is counted -------------------------------------------------------------------------

    @property
    def measure(self) -> Measure:
        """How far each player can tell where queens are."""
        words = "players that may hold a queen, as far as each player could know"
        return Measure("players", "possible holders of a queen", words)

    def level(self, at: Here, player: str) -> float:
        """How many players may hold a queen, to this one."""
        atoms = [holds(other, QUEEN) for other in self.past.setup.players]
        sheet = self.past.engine.sheet(at.moment.perspective(player), atoms)
        return sum(mark is not Mark.NO for mark in sheet.marks)

    # ---- draws -----------------------------------------------------------------------------------

    def appraise(self, before: Here, outcome: Outcome[Happening], after: Here) -> Appraisal | None:
        """A draw, by the chance that it makes a pair."""
        public = outcome.public
        if not isinstance(public, Draw):
            return None
        assert isinstance(before.state, State)
        givers, sizes = before.state.givers, before.state.sizes
        view = before.view(public.player)
        try:
            common = self._counts.holding(view, own_ranks(view), givers)
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return None
        chances = {giver: common[giver] / sizes[giver] for giver in givers}
        value, best = chances[public.giver], max(chances.values())
        better = [giver for giver in givers if chances[giver] > value]
        best_giver = max(better, key=lambda giver: chances[giver], default="")
        made = public.discard is not None
        self._expected.setdefault(public.player, []).append((value, made))
        return Appraisal(
            "chance",
            float(value),
            float(best),
            f"draw from {self.past.titles[best_giver]}" if better else "",
            len(better),
            len(givers),
            float(made),
            ("draw", "draws"),
            "of a pair",
        )

    def annotate(
        self, event: ReviewedEvent, before: Here, outcome: Outcome[Happening], after: Here
    ) -> Iterator[Annotation]:
        """The odd queen: who draws it, with which chance, and who can know where it is."""
        public = outcome.public
        assert isinstance(before.state, State)
        assert isinstance(after.state, State)
        if isinstance(public, Draw):
            yield from self._drawn(before, outcome, public)
        yield from self._safe(before, after)
        if after.state.left.get(QUEEN) == 1:
            if before.state.left.get(QUEEN) != 1:
                words = f"One queen is left: the odd one{self._with(after)}"
                yield Annotation("odd", "", words, NEWS)
            yield from self._known(event)
        self._knew = (
            {player for player, level in event.after.items() if level == 1}
            if after.state.left.get(QUEEN) == 1
            else set()
        )

    def _safe(self, before: Here, after: Here) -> Iterator[Annotation]:
        """Who has no card left from here on; at the deal, who had none to begin with."""
        assert isinstance(before.state, State)
        assert isinstance(after.state, State)
        for player, cards in after.state.sizes.items():
            if not cards and before.state.sizes.get(player):
                words = f"{self.past.titles[player]} has no card left, and is safe"
                yield Annotation("safe", player, words, NEWS)

    def _with(self, at: Here) -> str:
        holder = self._holder(at)
        return f", and {self.past.titles[holder]} has it" if holder else ""

    def _holder(self, at: Here) -> str:
        """Who holds the odd queen; empty if the record does not tell, or there are more queens."""
        state = at.state
        assert isinstance(state, State)
        if state.hands is None or state.left.get(QUEEN) != 1:
            return ""
        return next(player for player, hand in state.hands.items() if QUEEN in hand)

    def _drawn(
        self, before: Here, outcome: Outcome[Happening], public: Draw
    ) -> Iterator[Annotation]:
        """That the odd queen was drawn, or could have been."""
        assert isinstance(before.state, State)
        if before.state.left.get(QUEEN) != 1 or public.player not in self.past.seen:
            return
        who, giver = self.past.titles[public.player], self.past.titles[public.giver]
        rank = outcome.secret.get(drawn_name(public.turn))
        if rank is None and public.count is not None and len(public.count.left) == 1:
            rank = next(iter(public.count.left))
        if public.discard is not None:
            rank = public.discard
        view = before.view(public.player)
        if QUEEN in own_ranks(view):
            return
        try:
            queens = self._counts.holding(view, (QUEEN,), before.state.givers)
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return
        sizes = before.state.sizes
        chances = {other: queens[other] / sizes[other] for other in before.state.givers}
        chance = chances[public.giver]
        safe = [self.past.titles[other] for other, share in chances.items() if not share]
        data = {"chance": str(chance), "float": float(chance)}
        if rank == QUEEN:
            words = f"{who} drew the odd queen from {giver}: the chance was {percent(chance)}"
            yield Annotation("queen", public.player, words, LUCK, data)
        elif chance and self._holder(before) in ("", public.giver):
            words = (
                f"{who} could have drawn the odd queen from {giver}, with a chance of "
                f"{percent(chance)}"
            )
            yield Annotation("spared", public.player, words, LUCK, data)
        if chance == 1 and safe:
            words = f"{who} could have known that it would draw the queen; safe: {listed(safe)}"
            yield Annotation("careless", public.player, words, FAULT, data)

    def _known(self, event: ReviewedEvent) -> Iterator[Annotation]:
        """Who can know now where the odd queen is, and could not before."""
        fresh = [
            self.past.titles[player]
            for player, level in event.after.items()
            if level == 1 and player not in self._knew
        ]
        if fresh:
            words = f"{listed(fresh)} could know now where the odd queen is"
            if self._once.issuperset(fresh):
                words = f"{listed(fresh)} could know again where the odd queen is"
            self._once.update(fresh)
            yield Annotation("known", "", words, NEWS, {"players": fresh})

    # ---- all of it -------------------------------------------------------------------------------

    def figures(self, events: Sequence[ReviewedEvent]) -> Figures:
        """What each player's draws could bring, and did."""
        columns = {
            "draws": "draws",
            "pairs": "of these, made a pair",
            "expected": "pairs that were to be expected, by the chances",
            "best": "pairs, had it always drawn where the chance was best",
            "queen": "times that it drew the odd queen",
            "known": "events after which it could know where the odd queen was",
        }
        rows: dict[str, dict[str, str | int | float | None]] = {}
        odd = [event for event in events if self._left(event.number) == 1]
        for player in self.past.setup.players:
            mine = [event for event in events if event.player == player]
            worth = [event.appraisal for event in mine if event.appraisal is not None]
            pairs = [
                public.discard is not None
                for event in mine
                if isinstance(public := self.past.outcomes[event.number - 1].public, Draw)
            ]
            is_seen = player in self.past.seen
            rows[player] = {
                "draws": len(pairs),
                "pairs": sum(pairs),
                "expected": round(sum(move.value for move in worth), 2) if is_seen else None,
                "best": round(sum(move.best for move in worth), 2) if is_seen else None,
                "queen": sum(said.kind == "queen" for event in mine for said in event.annotations)
                if is_seen
                else None,
                "known": f"{sum(event.after[player] == 1 for event in odd)} of {len(odd)}"
                if is_seen
                else None,
            }
        return Figures(columns, rows)

    def _left(self, number: int) -> int:
        """How many queens are in play after so many events."""
        state = self.past.at(number).state
        assert isinstance(state, State)
        return state.left.get(QUEEN, 0)

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """The way of the odd queen, luck in pairs, and who could know where it was."""
        titles = self.past.titles
        yield from self._way(events)
        rows = self.figures(events).rows
        luck = {
            player: int(row["pairs"] or 0) - float(row["expected"] or 0)
            for player, row in rows.items()
            if player in self.past.seen and row["draws"]
        }
        if luck:
            most, least = max(luck, key=luck.__getitem__), min(luck, key=luck.__getitem__)
            for player in dict.fromkeys((most, least)):
                row, more = rows[player], luck[player]
                lucky = "lucky" if more >= _LUCK else "unlucky" if more <= -_LUCK else ""
                told = f" was {lucky} with pairs: it" if lucky else ""
                yield (
                    f"{titles[player]}{told} made {number_of(int(row['pairs'] or 0), 'pair')} in "
                    f"{number_of(int(row['draws'] or 0), 'draw')}; the expected number was "
                    f"{row['expected']:.1f}"
                )
        yield from self._knowers(events)
        near = [*annotated(events, "queen"), *annotated(events, "spared")]
        if near:
            turn, said = max(near, key=lambda pair: pair[0])
            yield f"In turn {turn} {said.words}"

    def _knowers(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """After how many events each could know where the odd queen was."""
        odd = [event for event in events if self._left(event.number) == 1]
        if not odd:
            return
        knew = {player: sum(event.after[player] == 1 for event in odd) for player in self.past.seen}
        if set(knew.values()) == {len(odd)}:
            who = "Everybody" if len(knew) > 1 else self.past.titles[self.past.seen[0]]
            yield f"{who} could know all the time where the odd queen was"
            return
        (player, many), *others = knew.items()
        more = [f"{self.past.titles[other]} after {number}" for other, number in others]
        first = f"{self.past.titles[player]} after {many} of {len(odd)} events"
        yield f"Where the odd queen was, these could know: {listed([first, *more])}"

    def legend(self) -> Iterator[str]:
        """What the chances are based on."""
        yield (
            "Chances of a pair are by all that the drawer could know of the other's cards, of "
            "which it draws each with the same chance"
        )

    def _way(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """From when on one queen was left, and through whose hands it went."""
        hands: list[tuple[int, str]] = []
        for event in events:
            holder = self._holder(self.past.at(event.number))
            if holder and (not hands or hands[-1][1] != holder):
                hands.append((event.turn, holder))
        if not hands:
            return
        titles = self.past.titles
        first, holder = hands[0]
        when = f"in turn {first}" if first else "after the deal"
        if len(hands) == 1:
            yield f"The odd queen was {titles[holder]}'s {when}, and stayed there"
            return
        yield f"The odd queen was {titles[holder]}'s {when}"
        if len(hands) > _MANY:
            owners = [titles[player] for player in dict.fromkeys(player for _, player in hands)]
            among = "between" if len(owners) == 2 else "among"
            yield (
                f"Then it changed hands {len(hands) - 1} times, {among} {listed(owners)}; last in "
                f"turn {hands[-1][0]}, when {titles[hands[-1][1]]} drew it"
            )
            return
        told = listed([f"{titles[player]} in turn {turn}" for turn, player in hands[1:]])
        yield f"Then it went to {told}"
