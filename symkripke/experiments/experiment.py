"""An experiment: its question, the games that are played for it, and the figures of its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

import msgspec

from symkripke.play.measure import Figure
from symkripke.play.runs.tournament import Plan, Rotation

Text = Annotated[str, msgspec.Meta(min_length=1)]
"""A text that must not be empty."""

Many = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
"""A number of games or turns."""

GAMES = 100
"""The default number of games of a condition."""

MATTERS = 0.05
"""The default difference from a published share that would matter: five points."""

MATTERS_PART = 0.1
"""The default difference that would matter for other figures, as a share of the value."""

_SEATS = 12
"""The number of seats that have figures of their own."""

STANDARD: Mapping[str, Figure] = {
    "wins": Figure("games won, of those it played", "won", "sat", "share"),
    "wins-divided": Figure(
        "games won, a tie divided among its winners", "won_part", "sat", "share"
    ),
    "wins-of-last": Figure(
        "games won, a tie given to the winner in the last seat", "won_last", "sat", "share"
    ),
    "wins-of-decided": Figure("games won, of those that somebody won", "won", "decided", "share"),
    "losses": Figure("games lost, of those that somebody won", "lost", "decided", "share"),
    "kind-wins": Figure("games that one of its kind won", "kind_won", "kind_sat", "share"),
    "turns": Figure("turns to the end", "turns", "ended", "turns"),
    "given-up": Figure("games given up", "given_up", "played", "share"),
    "failed": Figure("games that could not be continued", "failed", "tried", "share"),
    **{
        f"losses-seat-{seat}": Figure(
            f"games lost in seat {seat}", f"lost@{seat}", f"decided@{seat}", "share"
        )
        for seat in range(1, _SEATS + 1)
    },
}
"""The figures that every experiment can report.

`wins` and `losses` count every seat separately, and `losses-seat-1` counts only the first seat;
`kind-wins` counts the games in which a kind sits. In a tie `wins` counts every winner. Programs
that name a single winner count differently: if they compare seat by seat and keep the last of
equals, the result is `wins-of-last`.
"""

GAME_FIGURES = ("turns", "given-up", "failed")
"""The standard figures that are the same for every kind of mind at a table."""


@dataclass(frozen=True)
class Condition:
    """Games of one kind: a line-up under some rules.

    Attributes:
        name: its unique name in reports.
        plan: its games; their maximum number, if there is a stopping rule.
        line: the line of the file on which it begins, from 1.
        options: the options of the game by name, as typed.
    """

    name: str
    plan: Plan
    line: int
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def minds(self) -> tuple[str, ...]:
        """The kinds of mind at the table, each once, in seat order."""
        return tuple(dict.fromkeys(self.plan.minds))


class _Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of an experiment's file."""


class UntilNarrow(_Record, frozen=True, kw_only=True, tag_field="rule", tag="interval"):
    """Play until the 95% interval of a figure is narrower than a width.

    Attributes:
        figure: the name of the figure.
        mind: the kind of mind; conditions without it are played completely.
        width: the width of the interval, in the unit of the figure.
        every: the number of games between two computations of the interval.
    """

    figure: Text
    mind: str = ""
    width: Annotated[float, msgspec.Meta(ge=1e-6)]
    every: Many = 500


class UntilDecided(_Record, frozen=True, kw_only=True, tag_field="rule", tag="test"):
    """Play until a sequential test of a share decides, with stated rates of error.

    Wald's sequential probability ratio test of `share = null` against `share = alternative`: it
    continues while the likelihood ratio stays between beta / (1 - alpha) and (1 - beta) / alpha (A.
    Wald, Sequential tests of statistical hypotheses, Annals of Mathematical Statistics 16, 1945,
    117-186). It takes the games in the order of their numbers, so that it always decides after the
    same game, however the games were played.

    Attributes:
        figure: the name of a figure that is a share.
        mind: the kind of mind; conditions without it are played completely.
        null: the share if there is no effect.
        alternative: the share that would matter.
        alpha: the allowed rate of finding an effect that does not exist.
        beta: the allowed rate of missing an effect of that size.
        every: the number of games between two evaluations of the test.
    """

    figure: Text
    mind: str = ""
    null: Annotated[float, msgspec.Meta(ge=1e-6, le=1 - 1e-6)]
    alternative: Annotated[float, msgspec.Meta(ge=1e-6, le=1 - 1e-6)]
    alpha: Annotated[float, msgspec.Meta(ge=1e-6, le=0.5)] = 0.05
    beta: Annotated[float, msgspec.Meta(ge=1e-6, le=0.5)] = 0.05
    every: Many = 500


Stop = UntilNarrow | UntilDecided


def rotation_in_words(rotate: Rotation) -> str:
    """Return the rotation of the minds as a cell of a table."""
    return "for each deal" if rotate == "deals" else "yes" if rotate else "no"


def rule_in_words(stop: Stop) -> str:
    """Return the stopping rule of a condition in words."""
    whose = f" of {stop.mind}" if stop.mind else ""
    where = f"Conditions in which {stop.mind} plays end" if stop.mind else "A condition ends"
    looks = f"evaluated every {stop.every} games, up to the maximum number of games"
    if isinstance(stop, UntilNarrow):
        return (
            f"{where} when the 95% interval of {stop.figure!r}{whose} is at most {stop.width:g} "
            f"wide, {looks}."
        )
    return (
        f"{where} when a sequential test (Wald) has decided whether {stop.figure!r}{whose} is "
        f"{stop.null:g} or {stop.alternative:g}, with errors of {stop.alpha:g} and {stop.beta:g}, "
        f"{looks}."
    )


Origin = Literal["seed", "page", "plot", "unfound"]
"""The place of a published value; see `ORIGINS`."""

ORIGINS: Mapping[Origin, str] = {
    "seed": "in the text that the project handed in",
    "page": "on the project's page, or in its data",
    "plot": "read by eye from the project's plot",
    "unfound": "not found in any source that we have",
}
"""The possible places of a published value, in words."""


class Published(_Record, frozen=True, kw_only=True):
    """A published figure, to be printed next to ours.

    Attributes:
        condition: the name of the condition to which it belongs.
        figure: the name of the figure.
        mind: the kind of mind; empty for figures of whole games.
        value: the published value; a share is from 0 to 1.
        games: the number of games, if known.
        matters: the smallest difference that would matter, in the unit of the figure. Two figures
            agree only if a difference of this size can be ruled out. In a file, 0 stands for the
            default.
        source: the publication.
        origin: where the value was found.
        note: known reasons for a difference; empty for none.
    """

    condition: Text
    figure: Text
    mind: str = ""
    value: Annotated[float, msgspec.Meta(ge=0)]
    games: Annotated[int, msgspec.Meta(ge=1, le=10**9)] | None = None
    matters: Annotated[float, msgspec.Meta(ge=1e-9)] = 0.0
    source: Text
    origin: Origin
    note: str = ""


class PublishedCurve(_Record, frozen=True, kw_only=True):
    """A published curve of the open cases after each turn.

    Attributes:
        condition: the name of the condition to which it belongs.
        mind: the kind of mind.
        turns: the turns; by default they are counted from 0.
        values: the number of open cases after each turn.
        source: the publication.
        origin: where the value was found.
        note: known reasons for a difference; empty for none.
    """

    condition: Text
    mind: Text
    turns: tuple[int, ...] = ()
    values: tuple[float, ...]
    source: Text
    origin: Origin
    note: str = ""


class Comparison(_Record, frozen=True, kw_only=True):
    """Two values of a figure to compare, on the same deals if both conditions played these.

    Attributes:
        first: a condition and a mind; the mind is empty for figures of whole games.
        second: another condition and mind; empty to compare with `against`.
        against: a fixed value, such as the share of a player without an advantage.
        figure: the name of the figure.
        equivalent: the margin of an equivalence test, in the unit of the figure; None for no test.
    """

    first: tuple[str, ...]
    second: tuple[str, ...] = ()
    against: Annotated[float, msgspec.Meta(ge=0)] | None = None
    figure: Text
    equivalent: Annotated[float, msgspec.Meta(ge=1e-6)] | None = None


class Stated(_Record, frozen=True, kw_only=True):
    """The parts of an experiment that its file states literally.

    Attributes:
        title: a short title.
        question: the question, in words.
        reading: how to read the figures; may be empty.
        sizes: how the numbers of games were fixed, with the power of the tests and the results that
            were known before; may be empty.
        game: the name of the game.
        stop: the stopping rule of a condition; None to play all games.
        curve: whether the open cases after every turn are reported.
        ranking: whether the kinds of mind are ranked over all conditions.
        published: the published figures to compare with.
        curves: the published curves to compare with.
        comparisons: the pairs of values to compare.
    """

    title: Text
    question: Text
    reading: str = ""
    sizes: str = ""
    game: Text
    stop: Stop | None = None
    curve: bool = False
    ranking: bool = False
    published: tuple[Published, ...] = ()
    curves: tuple[PublishedCurve, ...] = msgspec.field(default=(), name="published_curve")
    comparisons: tuple[Comparison, ...] = msgspec.field(default=(), name="compare")


class Experiment(Stated, frozen=True, kw_only=True):
    """A study: a question, the games that are played for it, and the figures to report.

    Attributes:
        name: the name of the file without its extension.
        conditions: the conditions.
        figures: the reported figures, by name.
        text: the text of the file.
        games: the number of games per condition, if it overrides the file.
    """

    name: str
    conditions: tuple[Condition, ...]
    figures: Mapping[str, Figure]
    text: str
    games: int | None = None


def stated(experiment: Experiment) -> Iterator[list[str]]:
    """Yield paragraphs about the sizes, the stopping rule, the comparisons and published figures.

    Each paragraph is a list of lines.
    """
    if experiment.sizes:
        yield ["How the sizes were fixed:", experiment.sizes]
    if experiment.stop is not None:
        yield [rule_in_words(experiment.stop)]
    if experiment.comparisons:
        lines = [
            f"{each.figure} of {_side(each.first)}, and "
            f"{f'of {_side(each.second)}' if each.second else f'{each.against:g}'}"
            + ("" if each.equivalent is None else f": equivalent within {each.equivalent:g}?")
            for each in experiment.comparisons
        ]
        yield ["Compared:", *lines]
    if experiment.published:
        yield ["Published:", *(_published(experiment, each) for each in experiment.published)]


def _published(experiment: Experiment, published: Published) -> str:
    """Return a published figure in words."""
    value, matters = f"{published.value:g}", f"{published.matters:g}"
    if experiment.figures[published.figure].unit == "share":
        value, matters = f"{100 * published.value:g}%", f"{100 * published.matters:g} points"
    games = f" in {published.games} games" if published.games else ""
    whose = _side((published.condition, published.mind))
    return (
        f"{published.figure} of {whose}: {value}{games} ({published.source}; "
        f"{ORIGINS[published.origin]}); a difference of {matters} would matter"
    )


def _side(named: tuple[str, ...]) -> str:
    condition, mind = named
    return f'{mind} in "{condition}"' if mind else f'"{condition}"'
