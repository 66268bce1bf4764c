"""The review of a game of Kwartet: the chance of each question, secrets, and what was sure.

Questions are ranked as advice ranks them (`symkripke_games.kwartet.advice.Chance.worth`): by all
that the asker could know, counted exactly. A question tells that the asker holds a card of the
group: a secret is given away where that did not follow from what all had seen before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from symkripke.errors import BudgetExceeded, Unsupported
from symkripke.explain.text import listed, percent
from symkripke.play.review import (
    FAULT,
    GOOD,
    LUCK,
    NEWS,
    Annotation,
    Appraisal,
    Figures,
    Past,
    Position,
    ReviewedEvent,
    Reviewer,
)
from symkripke.play.review.reviewer import mean, unless_too_much
from symkripke.play.rules import Outcome
from symkripke.play.words import number_of
from symkripke_games.kwartet.advice import Chance, chances
from symkripke_games.kwartet.knowledge import title
from symkripke_games.kwartet.notes import is_told
from symkripke_games.kwartet.rules import Happening, Opening, Question, Setup, State

Here = Position[Setup, Happening]

# A yes is said to be lucky, and a no unlucky, that had at most this chance.
_LUCKY = Fraction(1, 5)

# So many cards more or fewer than expected are luck, over the whole game.
_LUCK = 0.5


class KwartetReviewer(Reviewer[Setup, Happening]):
    """Says of each question how probable a yes was, and what it gave away."""

    ends_open = False

    def __init__(self, past: Past[Setup, Happening]) -> None:
        """Nothing is counted yet."""
        super().__init__(past)
        self._chances: dict[int, dict[tuple[str, str], Chance]] = {}
        """For each event the chances of the questions that its asker could ask."""

    def appraise(self, before: Here, outcome: Outcome[Happening], after: Here) -> Appraisal | None:
        """A question, by the chance that the answer is yes."""
        public = outcome.public
        if not isinstance(public, Question):
            return None
        try:
            found = chances(before.view(public.player), self.past.engine)
        except (BudgetExceeded, Unsupported) as error:
            unless_too_much(error)
            return None
        self._chances[before.number + 1] = {(chance.asked, chance.card): chance for chance in found}
        # Where bluffing is allowed, one may ask for a card of one's own: nobody has it then.
        mine = self._chances[before.number + 1].get((public.asked, public.card))
        better = [chance for chance in found if mine is None or chance.worth > mine.worth]
        best = better[0] if better else mine
        assert best is not None
        words = f"ask {self.past.titles[best.asked]} for {title(self.past.setup, best.card)}"
        return Appraisal(
            "chance",
            0.0 if mine is None else float(mine.yes),
            float(best.yes),
            words if better else "",
            len(better),
            len(found),
            float(public.given),
            ("question", "questions"),
            "of a yes",
        )

    # ---- what is said ----------------------------------------------------------------------------

    def annotate(
        self, event: ReviewedEvent, before: Here, outcome: Outcome[Happening], after: Here
    ) -> Iterator[Annotation]:
        """Questions that could not succeed, sure cards, secrets, luck, and groups laid down."""
        public = outcome.public
        if isinstance(public, Opening):
            return
        who, player = self.past.titles[public.player], public.player
        chances = self._chances.get(event.number)
        if chances is not None:
            yield from self._chance(public, chances)
        group = self.past.setup.group_of[public.card]
        if not self._is_told(before, player, group):
            words = f"{who} gave away that it holds a card of {title(self.past.setup, group)}"
            yield Annotation("secret", player, words, NEWS, {"group": group})
        if public.down:
            assert isinstance(after.state, State)
            many = number_of(after.state.board.points[player], "group")
            words = f"{who} laid down {title(self.past.setup, group)}: {many} now"
            yield Annotation("down", player, words, GOOD, {"group": group})

    def _chance(
        self, public: Question, chances: dict[tuple[str, str], Chance]
    ) -> Iterator[Annotation]:
        who, player = self.past.titles[public.player], public.player
        mine = chances.get((public.asked, public.card))
        chance = Fraction(0) if mine is None else mine.yes
        if not chance:
            words = f"{who} could have known that the answer is no"
            yield Annotation("impossible", player, words, FAULT)
        sure = [ask for ask, other in chances.items() if other.yes == 1]
        if sure and chance < 1 and not public.given:
            told = listed(
                [
                    f"{title(self.past.setup, card)} (from {self.past.titles[other]})"
                    for other, card in sure[:3]
                ]
            )
            more = f" and {len(sure) - 3} more" if len(sure) > 3 else ""
            words = f"{who} could have taken {told}{more} for sure"
            yield Annotation("sure", player, words, FAULT, {"cards": [card for _, card in sure]})
        data = {"chance": str(chance), "float": float(chance)}
        if public.given and chance <= _LUCKY:
            words = f"{who} was lucky: the chance was {percent(chance)}"
            yield Annotation("lucky", player, words, LUCK, data)
        elif not public.given and chance >= 1 - _LUCKY:
            words = f"{who} was unlucky: the chance was {percent(chance)}"
            yield Annotation("unlucky", player, words, LUCK, data)

    def _is_told(self, before: Here, player: str, group: str) -> bool:
        """Whether it follows from what all have seen that the player holds the group."""
        assert isinstance(before.state, State)
        structure = before.moment.structure
        return is_told(self.past.engine, structure, before.state.board, player, group)

    # ---- all of it -------------------------------------------------------------------------------

    def figures(self, events: Sequence[ReviewedEvent]) -> Figures:
        """What each player asked, got, and gave away."""
        columns = {
            "groups": "groups laid down",
            "questions": "questions",
            "yes": "of these, answered by yes",
            "expected": "yes that were to be expected, by the chances",
            "best": "chance of a yes of its best question, on average",
            "impossible": "questions that it could have known to fail",
            "sure": "questions answered by no while it could have taken a card for sure",
            "secrets": "groups that a question gave away",
            "left": "cards that it could not place at the end",
        }
        rows: dict[str, dict[str, str | int | float | None]] = {}
        last = self.past.at(events[-1].number if events else 0).state
        assert isinstance(last, State)
        for player in self.past.setup.players:
            mine = [event for event in events if event.player == player]
            worth = [event.appraisal for event in mine if event.appraisal is not None]
            asked = [self.past.outcomes[event.number - 1].public for event in mine]
            is_seen = player in self.past.seen
            rows[player] = {
                "groups": last.board.points[player],
                "questions": len(mine),
                "yes": sum(isinstance(public, Question) and public.given for public in asked),
                "expected": round(sum(move.value for move in worth), 2) if is_seen else None,
                "best": mean([move.best for move in worth]),
                "impossible": self._said(mine, "impossible") if is_seen else None,
                "sure": self._said(mine, "sure") if is_seen else None,
                "secrets": self._said(mine, "secret"),
                "left": events[-1].after[player] if is_seen and events else None,
            }
        return Figures(columns, rows)

    def _said(self, events: Sequence[ReviewedEvent], kind: str) -> int:
        return sum(said.kind == kind for event in events for said in event.annotations)

    def legend(self) -> Iterator[str]:
        """What chances are reckoned with."""
        yield (
            "Chances of a yes are exact, by all that the asker could know: its cards, and what "
            "follows from every question and answer so far"
        )
        yield (
            "A question is better if the card is sure, else if all know already that the asker "
            "holds the group, else if a yes is more probable. Hints rank questions so, too"
        )
        yield (
            "A group is given away by a question if it did not follow before, from what all had "
            "seen, that the asker holds a card of it"
        )

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """Groups, luck, the longest run of one player, what was missed and given away."""
        titles, rows = self.past.titles, self.figures(events).rows
        points = sorted(rows, key=lambda player: -int(rows[player]["groups"] or 0))
        told = listed([f"{titles[player]} {rows[player]['groups']}" for player in points])
        yield f"Groups laid down: {told}"
        yield from self._decided(events)
        yield from self._run(events)
        luck = {
            player: int(rows[player]["yes"] or 0) - float(rows[player]["expected"] or 0)
            for player in self.past.seen
            if rows[player]["questions"]
        }
        if luck:
            most, least = max(luck, key=luck.__getitem__), min(luck, key=luck.__getitem__)
            for player in dict.fromkeys((most, least)):
                row, more = rows[player], luck[player]
                lucky = "lucky" if more >= _LUCK else "unlucky" if more <= -_LUCK else ""
                told = f" was {lucky}: it" if lucky else ""
                yield (
                    f"{titles[player]}{told} got {row['yes']} of {row['questions']} cards that it "
                    f"asked for; the expected number was {row['expected']:.1f}"
                )
        for kind, words in (
            ("sure", "let sure cards go"),
            ("impossible", "asked what could only be answered by no"),
        ):
            faults = {player: int(row[kind] or 0) for player, row in rows.items() if row[kind]}
            if faults:
                told = listed(
                    [f"{titles[player]} ({_times(many)})" for player, many in faults.items()]
                )
                yield f"{told} {words}"
        secrets = {player: int(row["secrets"] or 0) for player, row in rows.items()}
        if any(secrets.values()):
            ranked = sorted(secrets, key=lambda player: -secrets[player])
            told = listed([f"{titles[player]} {secrets[player]}" for player in ranked])
            yield f"Groups given away by asking: {told}"

    def _decided(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """From when on a player had more groups than any other could still reach."""
        for event in events:
            ahead = self._ahead(event.number)
            if ahead and not self._ahead(event.number - 1):
                best, points, left = ahead
                if left:
                    yield (
                        f"After turn {event.turn} nobody could overtake {self.past.titles[best]}: "
                        f"it had {number_of(points, 'group')}, and only "
                        f"{left} {'was' if left == 1 else 'were'} left"
                    )
                return

    def _ahead(self, event: int) -> tuple[str, int, int] | tuple[()]:
        """Who cannot be overtaken after so many events, its groups, and how many are left."""
        state = self.past.at(event).state
        assert isinstance(state, State)
        points = state.board.points
        left = len({*self.past.setup.group_of.values()}) - sum(points.values())
        best = max(points, key=points.__getitem__)
        rest = max(number for player, number in points.items() if player != best)
        return (best, points[best], left) if points[best] > rest + left else ()

    def _run(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """The longest row of questions of one player that were answered by yes."""
        longest: list[ReviewedEvent] = []
        run: list[ReviewedEvent] = []
        for event in events:
            public = self.past.outcomes[event.number - 1].public
            if not isinstance(public, Question) or not public.given:
                run = []
                continue
            if run and run[-1].player != event.player:
                run = []
            run = [*run, event]
            longest = max(longest, run, key=len)
        if len(longest) > 1:
            down = self._said(longest, "down")
            laid = f", and laid down {number_of(down, 'group')}" if down else ""
            yield (
                f"The longest run was {self.past.titles[longest[0].player]}'s, turns "
                f"{longest[0].turn} to {longest[-1].turn}: it took {len(longest)} cards{laid}"
            )


def _times(number: int) -> str:
    return "once" if number == 1 else "twice" if number == 2 else f"{number} times"
