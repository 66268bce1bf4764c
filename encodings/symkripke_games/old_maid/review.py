"""The review of a game of Old Maid: the chances of the draws, and the path of the odd queen.

The value of a draw is the probability that it makes a pair. For each possible giver, this is the
expected number of ranks in common, divided by the giver's number of cards. The last queen in play
is the odd queen. The player who holds it at the end has lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symkripke.engines import Mark
from symkripke.explain.text import listed, percent
from symkripke.play import Advice
from symkripke.play.review import (
    FAULT,
    LUCK,
    NEWS,
    Annotation,
    Column,
    Measure,
    Past,
    Position,
    ReviewedEvent,
    Reviewer,
    Transition,
    annotated,
    total,
)
from symkripke.play.words import number_of
from symkripke_games.old_maid.knowledge import holds
from symkripke_games.old_maid.players import own_ranks
from symkripke_games.old_maid.rules import QUEEN, Draw, Happening, Setup, State, drawn_name

Here = Position[Setup, Happening]
Step = Transition[Setup, Happening]

# The greatest number of holders of the odd queen that the story lists one by one.
_MANY = 5


class OldMaidReviewer(Reviewer[Setup, Happening]):
    """A reviewer that adds the value of each draw and the players who could locate the queen."""

    columns: Mapping[str, Column] = {
        "draws": Column("draws", of="pairs", how=len),
        "pairs": Column("of these, made a pair"),
        "expected": Column("expected number of pairs", total, "value", known=True),
        "best": Column("expected number of pairs with the best draws", total, known=True),
        "queen": Column("times that they drew the odd queen", known=True),
        "known": Column(
            "events after which they could know where the odd queen was",
            lambda values: f"{sum(values)} of {len(values)}",
            known=True,
        ),
    }

    def __init__(self, past: Past[Setup, Happening]) -> None:
        """Create a reviewer of a game."""
        super().__init__(past)
        self._knew: set[str] = set()
        """The players who could locate the odd queen after the last event."""
        self._once: set[str] = set()
        """The players who could locate the odd queen after any event so far."""

    # ---- figures ---------------------------------------------------------------------------------

    @property
    def measure(self) -> Measure:
        """The progress of each player in locating queens."""
        words = "players who may hold a queen, as far as each player could know"
        return Measure("players", "possible holders of a queen", words)

    def level(self, at: Here, player: str) -> float:
        """Return the number of possible holders of a queen, for this player."""
        atoms = [holds(other, QUEEN) for other in self.past.setup.players]
        sheet = self.past.engine.sheet(at.moment.perspective(player), atoms)
        return sum(mark is not Mark.NO for mark in sheet.marks)

    # ---- draws -----------------------------------------------------------------------------------

    def brought(self, step: Step, move: Advice) -> float:
        """Return 1 if the draw made a pair, else 0."""
        return float(isinstance(step.public, Draw) and step.public.discard is not None)

    def annotate(self, event: ReviewedEvent, step: Step) -> Iterator[Annotation]:
        """Yield remarks on safe players, and on the odd queen: its draws and who can locate it."""
        public = step.public
        was_odd, is_odd = (_state(at).left.get(QUEEN) == 1 for at in (step.before, step.after))
        if isinstance(public, Draw) and was_odd:
            yield from self._drawn(step, public)
        for player, cards in _state(step.after).sizes.items():
            if not cards and _state(step.before).sizes.get(player):
                words = f"{self.past.titles[player]} has no card left, and is safe"
                yield Annotation("safe", player, words, NEWS)
        if is_odd and not was_odd:
            holder = self._holder(step.after)
            has_it = f", and {self.past.titles[holder]} has it" if holder else ""
            yield Annotation("odd", "", f"One queen is left: the odd one{has_it}", NEWS)
        if is_odd:
            yield from self._known(event)
        self._knew = {player for player, level in event.after.items() if is_odd and level == 1}

    def _holder(self, at: Here) -> str:
        """Return the holder of the odd queen; empty if unknown, or if several queens are left."""
        state = _state(at)
        if state.hands is None or state.left.get(QUEEN) != 1:
            return ""
        return next(player for player, hand in state.hands.items() if QUEEN in hand)

    def _drawn(self, step: Step, public: Draw) -> Iterator[Annotation]:
        """Yield remarks if the odd queen was drawn, or could have been drawn."""
        if not self.moves or QUEEN in own_ranks(step.before.view(public.player)):
            return
        who, giver = self.past.titles[public.player], self.past.titles[public.giver]
        rank = public.discard or step.outcome.secret.get(drawn_name(public.turn))
        if rank is None and public.count is not None and len(public.count.left) == 1:
            rank = next(iter(public.count.left))
        chances = {move.data["giver"]: Fraction(move.data["queen"]) for move in self.moves}
        chance = chances[public.giver]
        safe = [
            self.past.titles[other] for other in _state(step.before).givers if not chances[other]
        ]
        data = {"chance": str(chance), "float": float(chance)}
        if rank == QUEEN:
            words = f"{who} drew the odd queen from {giver}: the chance was {percent(chance)}"
            yield Annotation("queen", public.player, words, LUCK, data)
        elif chance and self._holder(step.before) in ("", public.giver):
            words = (
                f"{who} could have drawn the odd queen from {giver}, with a chance of "
                f"{percent(chance)}"
            )
            yield Annotation("spared", public.player, words, LUCK, data | {"happened": False})
        if chance == 1 and safe:
            words = f"{who} could have known that they would draw the queen; safe: {listed(safe)}"
            yield Annotation("careless", public.player, words, FAULT, data)

    def _known(self, event: ReviewedEvent) -> Iterator[Annotation]:
        """Yield a remark on the players who can locate the odd queen now, but could not before."""
        fresh = [
            self.past.titles[player]
            for player, level in event.after.items()
            if level == 1 and player not in self._knew
        ]
        if fresh:
            words = f"{listed(fresh)} could now know where the odd queen is"
            if self._once.issuperset(fresh):
                words = f"{listed(fresh)} could once more know where the odd queen is"
            self._once.update(fresh)
            yield Annotation("known", "", words, NEWS, {"players": fresh})

    # ---- all of it -------------------------------------------------------------------------------

    def facts(self, events: Sequence[ReviewedEvent]) -> Iterator[tuple[str, str, float]]:
        """Yield the inherited facts, draws that made a pair, and who could locate the odd queen."""
        yield from super().facts(events)
        for event in events:
            if isinstance(public := self.past.event(event.number), Draw):
                yield event.player, "pairs", public.discard is not None
            if _state(self.past.at(event.number)).left.get(QUEEN) == 1:
                for player, level in event.after.items():
                    yield player, "known", level == 1

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """Yield the path of the odd queen, luck with pairs, and who could locate the queen."""
        yield from self._way(events)
        yield from self.luck(
            self.figures(events).rows,
            "pairs",
            "draws",
            lambda row: (
                f"made {number_of(row['pairs'], 'pair')} in {number_of(row['draws'], 'draw')}"
            ),
        )
        yield from self._knowers(events)
        near = [*annotated(events, "queen"), *annotated(events, "spared")]
        if near:
            turn, said = max(near, key=lambda pair: pair[0])
            yield f"In turn {turn} {said.words}"

    def _knowers(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield a sentence on how often each player could locate the odd queen."""
        odd = [event for event in events if _state(self.past.at(event.number)).left.get(QUEEN) == 1]
        if not odd:
            return
        knew = {player: sum(event.after[player] == 1 for event in odd) for player in self.past.seen}
        if set(knew.values()) == {len(odd)}:
            who = "Everybody" if len(knew) > 1 else self.past.titles[self.past.seen[0]]
            yield f"{who} could always know where the odd queen was"
            return
        (player, many), *others = knew.items()
        more = [f"{self.past.titles[other]} after {number}" for other, number in others]
        first = f"{self.past.titles[player]} after {many} of {len(odd)} events"
        yield f"Players who could know where the odd queen was: {listed([first, *more])}"

    def legend(self) -> Iterator[str]:
        """Yield an explanation of the chances."""
        yield (
            "Chances of a pair are given everything that the drawer could know about "
            "the other player's cards; each of these is drawn with the same chance"
        )

    def _way(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield sentences on the path of the odd queen through the hands."""
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
            yield f"{titles[holder]} had the odd queen {when}, and kept it"
            return
        yield f"{titles[holder]} had the odd queen {when}"
        if len(hands) > _MANY:
            owners = [titles[player] for player in dict.fromkeys(player for _, player in hands)]
            among = "between" if len(owners) == 2 else "among"
            yield (
                f"Then it changed hands {len(hands) - 1} times, {among} {listed(owners)}; last in "
                f"turn {hands[-1][0]}, when {titles[hands[-1][1]]} drew it"
            )
            return
        holders = listed([f"{titles[player]} in turn {turn}" for turn, player in hands[1:]])
        yield f"Then it went to {holders}"


def _state(at: Here) -> State:
    assert isinstance(at.state, State)
    return at.state
