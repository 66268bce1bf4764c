"""The review of a game of Kwartet: the chance of each question, secrets, and certain cards.

Questions are ranked as in advice (`symkripke_games.kwartet.advice.questions`), with exact
probabilities given everything that the asker could know. A question reveals that the asker holds a
card of the group. It gives away a secret unless this already followed from the public events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symkripke.explain.text import listed, percent
from symkripke.play import Advice
from symkripke.play.review import (
    FAULT,
    GOOD,
    LUCK,
    NEWS,
    Annotation,
    Column,
    Position,
    ReviewedEvent,
    Reviewer,
    Transition,
    annotated,
    last,
    mean,
    total,
)
from symkripke.play.words import number_of, times
from symkripke_games.kwartet.knowledge import title
from symkripke_games.kwartet.notes import is_told
from symkripke_games.kwartet.rules import Board, Happening, Opening, Question, Setup, State

Here = Position[Setup, Happening]
Step = Transition[Setup, Happening]

# An answer with at most this probability is called lucky (yes) or unlucky (no).
_LUCKY = Fraction(1, 5)


class KwartetReviewer(Reviewer[Setup, Happening]):
    """A reviewer that adds the probability of a yes and the revealed secrets to each question."""

    columns: Mapping[str, Column] = {
        "groups": Column("groups laid down"),
        "questions": Column("questions"),
        "yes": Column("of these, answered yes"),
        "expected": Column("expected number of yes answers", total, "value", True),
        "best": Column("average chance of a yes for their best question", mean),
        "impossible": Column("questions that they could have known would fail", known=True),
        "sure": Column(
            "questions answered no when they could have taken a card for sure", known=True
        ),
        "secrets": Column("groups that a question gave away", of="secret"),
        "left": Column("cards that they could not place at the end", last),
    }

    def brought(self, step: Step, move: Advice) -> float:
        """Return 1 if the answer was yes, else 0."""
        return float(_asked(step.public).given)

    # ---- remarks ---------------------------------------------------------------------------------

    def annotate(self, event: ReviewedEvent, step: Step) -> Iterator[Annotation]:
        """Yield remarks on bad questions, missed cards, secrets, luck and laid-down groups."""
        public = step.public
        if isinstance(public, Opening):
            return
        who, player, setup = self.past.titles[public.player], public.player, self.past.setup
        if event.appraisal is not None:
            yield from self._chance(public)
        group = setup.group_of[public.card]
        board, structure = _board(step.before), step.before.moment.structure
        if not is_told(self.past.engine, structure, board, player, group):
            words = f"{who} gave away that they hold a card of {title(setup, group)}"
            yield Annotation("secret", player, words, NEWS, {"group": group})
        if public.down:
            many = number_of(_board(step.after).points[player], "group")
            words = f"{who} laid down {title(setup, group)}: {many} now"
            yield Annotation("down", player, words, GOOD, {"group": group})

    def _chance(self, public: Question) -> Iterator[Annotation]:
        who, player = self.past.titles[public.player], public.player
        chances = {(m.data["asked"], m.data["card"]): Fraction(m.data["yes"]) for m in self.moves}
        chance = chances.get((public.asked, public.card), Fraction(0))
        if not chance:
            words = f"{who} could have known that the answer would be no"
            yield Annotation("impossible", player, words, FAULT)
        sure = [ask for ask, yes in chances.items() if yes == 1]
        if sure and chance < 1 and not public.given:
            chances_in_words = listed(
                [
                    f"{title(self.past.setup, card)} (from {self.past.titles[other]})"
                    for other, card in sure[:3]
                ]
            )
            more = f" and {len(sure) - 3} more" if len(sure) > 3 else ""
            words = f"{who} could have taken {chances_in_words}{more} for sure"
            yield Annotation("sure", player, words, FAULT, {"cards": [card for _, card in sure]})
        if (chance if public.given else 1 - chance) <= _LUCKY:
            kind = "lucky" if public.given else "unlucky"
            words = f"{who} was {kind}: the chance was {percent(chance)}"
            data = {"chance": str(chance), "float": float(chance), "happened": public.given}
            yield Annotation(kind, player, words, LUCK, data)

    # ---- all of it -------------------------------------------------------------------------------

    def facts(self, events: Sequence[ReviewedEvent]) -> Iterator[tuple[str, str, float]]:
        """Yield the inherited facts, each question with its answer, and the groups at the end."""
        yield from super().facts(events)
        last = self.past.at(events[-1].number if events else 0)
        for player, points in _board(last).points.items():
            yield player, "groups", points
        for event in events:
            if isinstance(public := self.past.event(event.number), Question):
                yield event.player, "questions", 1
                yield event.player, "yes", public.given

    def legend(self) -> Iterator[str]:
        """Yield explanations of the chances, the ranking and the secrets."""
        yield (
            "Chances of a yes are exact, given everything that the asker could know: "
            "their cards, and what follows from every question and answer so far"
        )
        yield (
            "A question is better if the card is certain, else if everybody already "
            "knows that the asker holds the group, else if a yes is more probable. "
            "Hints use the same ranking"
        )
        yield (
            "A question gives a group away if it did not already follow, from what "
            "everybody had seen, that the asker holds a card of it"
        )

    def story(self, events: Sequence[ReviewedEvent], *, whole: bool) -> Iterator[str]:
        """Yield the story of the game: groups, luck, the longest run, mistakes and secrets."""
        titles, rows = self.past.titles, self.figures(events).rows
        points = sorted(rows, key=lambda player: -int(rows[player]["groups"] or 0))
        scores = listed([f"{titles[player]} {rows[player]['groups']}" for player in points])
        yield f"Groups laid down: {scores}"
        yield from self._decided(events)
        yield from self._run(events)
        yield from self.luck(
            rows,
            "yes",
            "questions",
            lambda row: f"got {row['yes']} of the {row['questions']} cards that they asked for",
        )
        for kind, words in (
            ("sure", "missed cards that they could be sure of"),
            ("impossible", "asked questions that could only be answered no"),
        ):
            faults = {player: int(row[kind] or 0) for player, row in rows.items() if row[kind]}
            if faults:
                scores = listed(
                    [f"{titles[player]} ({times(many)})" for player, many in faults.items()]
                )
                yield f"{scores} {words}"
        secrets = {player: int(row["secrets"] or 0) for player, row in rows.items()}
        if any(secrets.values()):
            ranked = sorted(secrets, key=lambda player: -secrets[player])
            scores = listed([f"{titles[player]} {secrets[player]}" for player in ranked])
            yield f"Groups given away by asking: {scores}"

    def _decided(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield a sentence on the turn after which nobody could overtake the leader."""
        for event in events:
            ahead = self._ahead(event.number)
            if ahead and not self._ahead(event.number - 1):
                best, points, left = ahead
                if left:
                    yield (
                        f"After turn {event.turn} nobody could overtake {self.past.titles[best]}: "
                        f"they had {number_of(points, 'group')}, and only "
                        f"{left} {'was' if left == 1 else 'were'} left"
                    )
                return

    def _ahead(self, event: int) -> tuple[str, int, int] | tuple[()]:
        """Return the certain winner, their number of groups and the number of groups left.

        Return an empty tuple if somebody can still overtake the leader.
        """
        points = _board(self.past.at(event)).points
        left = len({*self.past.setup.group_of.values()}) - sum(points.values())
        best = max(points, key=points.__getitem__)
        rest = max(number for player, number in points.items() if player != best)
        return (best, points[best], left) if points[best] > rest + left else ()

    def _run(self, events: Sequence[ReviewedEvent]) -> Iterator[str]:
        """Yield a sentence on the longest run of one player's questions answered yes."""
        longest: list[ReviewedEvent] = []
        run: list[ReviewedEvent] = []
        for event in events:
            public = self.past.event(event.number)
            if not isinstance(public, Question) or not public.given:
                run = []
                continue
            if run and run[-1].player != event.player:
                run = []
            run = [*run, event]
            longest = max(longest, run, key=len)
        if len(longest) > 1:
            down = len(annotated(longest, "down"))
            laid = f", and laid down {number_of(down, 'group')}" if down else ""
            yield (
                f"The longest run was {self.past.titles[longest[0].player]}'s, turns "
                f"{longest[0].turn} to {longest[-1].turn}: they took {len(longest)} cards{laid}"
            )


def _asked(public: Happening) -> Question:
    assert isinstance(public, Question)
    return public


def _board(at: Here) -> Board:
    assert isinstance(at.state, State)
    return at.state.board
