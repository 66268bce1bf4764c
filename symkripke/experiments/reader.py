"""The reader of experiment files, which reports errors before any game is played."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from symkripke.decoding import WrongValue, from_toml, from_values
from symkripke.errors import InputError, SymkripkeError, UnknownName, check_name, clipped, hint
from symkripke.experiments.entries import ExperimentError, line_of
from symkripke.experiments.experiment import (
    GAME_FIGURES,
    GAMES,
    MATTERS,
    MATTERS_PART,
    ORIGINS,
    STANDARD,
    Comparison,
    Condition,
    Experiment,
    Many,
    Published,
    PublishedCurve,
    Stated,
    Stop,
    Text,
    UntilDecided,
    UntilNarrow,
)
from symkripke.files import read_text
from symkripke.play.editions import slug
from symkripke.play.game import Game
from symkripke.play.measure import Figure
from symkripke.play.registry import game
from symkripke.play.runs.measures import check_measures
from symkripke.play.runs.tournament import SEEDS, Plan, Rotation, plan
from symkripke.play.session.table import TURNS
from symkripke.play.strategies import repeated

_MOST_CONDITIONS = 1_000

_NAMED = re.compile(r"\{\{|\}\}|\{([^{}.:!\[\]]*)\}")
"""The pattern of a name in braces, or of a doubled brace, which stands for a single brace."""


class _Whole(Stated, frozen=True, kw_only=True):
    """A whole file, except the defaults of all conditions.

    Attributes:
        measures: the measures in addition to wins.
        figures: the reported figures; None for the usual figures.
        condition: the tables of conditions, unchanged.
    """

    measures: tuple[str, ...] = ()
    figures: tuple[str, ...] | None = None
    condition: tuple[dict[str, Any], ...] = ()


class _Shared(Struct, kw_only=True, forbid_unknown_fields=True):
    """The entries of a condition that can also be given above all conditions."""

    rules: str = ""
    players: Annotated[int, Meta(ge=1, le=100)] | None = None
    seed: Annotated[int, Meta(ge=0, le=SEEDS - 1)] = 0
    games: Many = GAMES
    rotate: Rotation = False
    turns: Many = TURNS
    options: dict[str, Any] = {}
    fill: str = ""


_Values = Annotated[list[str | int | float | bool], Meta(min_length=1)]
"""The values of a name of [condition.each]."""


class _Choices(Struct, kw_only=True):
    """The varied entries of a table of conditions, and the excluded choices."""

    each: dict[str, Any] = {}
    different: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()


class _Table(_Shared, kw_only=True, forbid_unknown_fields=True):
    """A condition, with the values of a choice filled in."""

    name: Text
    minds: tuple[str, ...] = ()


_SHARED = _Shared.__struct_fields__
_CHOICES = _Choices.__struct_fields__

_RULES = {"interval": UntilNarrow, "test": UntilDecided}

_WORDS = {
    "rule": ("rule to stop", tuple(_RULES)),
    "origin": ("origin of a published value", tuple(ORIGINS)),
    "rotate": ("way to rotate the minds", ("deals",)),
}
"""Entries that are one of some words: a name for such a word, and the words."""

_TABLES = {"published": Published, "published_curve": PublishedCurve, "compare": Comparison}


def read(path: Path | str, *, games: int | None = None) -> Experiment:
    """Return the experiment in a file.

    Args:
        path: the file, in TOML; see README.md of this folder.
        games: the number of games of each condition; None for the numbers in the file.

    Raises:
        ExperimentError: an entry is wrong.
        InputError: the file cannot be read.
    """
    return parse(read_text(path), Path(path).stem, str(path), games=games)


def parse(text: str, name: str, file: str = "", *, games: int | None = None) -> Experiment:
    """Return the experiment in a text.

    Args:
        text: the text of a file.
        name: the name of the experiment.
        file: the name of the file, for messages; by default, the experiment's name.
        games: the number of games of each condition; None for the numbers in the text.

    Raises:
        ExperimentError: an entry is wrong, or the text is not TOML.
    """
    return _Reader(text, name, file or name, games).experiment()


class _Reader:
    def __init__(self, text: str, name: str, file: str, games: int | None) -> None:
        self._text = text
        self._name = name
        self._file = file
        self._games = games

    # ---- faults --------------------------------------------------------------------------

    def _fault(self, problem: str, *path: str | int, value: object = "") -> ExperimentError:
        """Return the error for an entry, for a value in it, or for a table."""
        return ExperimentError(self._file, line_of(self._text, path, value), problem, self._text)

    @contextmanager
    def _at(self, *path: str | int) -> Iterator[None]:
        """Report errors of the body as errors at an entry."""
        try:
            yield
        except ExperimentError:
            raise
        except SymkripkeError as error:
            raise self._fault(str(error), *path) from None

    def _record(self, values: Any, kind: Any, *above: str | int) -> Any:
        """Return values as a typed record; `above` is the path to them."""
        try:
            return from_values(values, kind)
        except WrongValue as error:
            path = (*above, *error.path)
            name = next(part for part in reversed(path) if isinstance(part, str))
            if error.expected == "unknown":
                where = f" in [{path[0]}]" if len(path) > 1 else ""
                near = hint(name, _entries(values, kind, error.path[:-1]))
                problem = f"unknown entry {clipped(name)!r}{where}{near}"
            elif error.expected == "required":
                problem = f"expected {name!r}, got nothing"
            else:
                for part in error.path:
                    values = values[part]
                problem = f"expected {error.expected} for {name!r}, got {clipped(repr(values))}"
                if name in _WORDS and isinstance(values, str):
                    problem = str(UnknownName(_WORDS[name][0], values, _WORDS[name][1]))
            raise self._fault(problem, *path) from None

    # ---- the whole file --------------------------------------------------------------------

    def experiment(self) -> Experiment:
        """Return the checked experiment."""
        try:
            values = _changed(from_toml(self._text), lambda text: " ".join(text.split()))
        except ValueError as error:
            said, _, place = str(error).partition(" (at line ")
            line = int(place.partition(",")[0]) if place else len(self._text.splitlines())
            problem = f"this is not TOML: {said if place else error}"
            raise ExperimentError(self._file, line, problem, self._text) from None
        shared = {name: values.pop(name) for name in _SHARED if name in values}
        stated: _Whole = self._record(values, _Whole)
        self._stated = stated
        with self._at("game"):
            self._game: Game[Any, Any] = game(stated.game)
        with self._at("measures"):
            measures = check_measures(self._game, stated.measures)
        measured = {name: figure for each in measures for name, figure in each.figures.items()}
        usual = ("losses" if self._game.loser else "wins", "turns", *measured)
        figures = {**STANDARD, **measured}
        named = usual if stated.figures is None else stated.figures
        with self._at("figures"):
            for name in named:
                _check_figure(name, figures)
        # Failures are always reported.
        named = (*dict.fromkeys(named), "given-up", "failed")
        self._possible = figures
        self._figures = {name: figures[name] for name in named}
        self._known = {each.name: each for each in self._conditions(shared)}
        if stated.ranking and any(each.plan.rotate == "deals" for each in self._known.values()):
            problem = "a ranking needs independent games: expected no rotate = 'deals'"
            raise self._fault(problem, "ranking")
        if stated.stop is not None:
            self._check_stop(stated.stop)
        kept = {name: getattr(stated, name) for name in Stated.__struct_fields__}
        for name, table, check in (
            ("published", "published", self._published),
            ("curves", "published_curve", self._curve),
            ("comparisons", "compare", self._comparison),
        ):
            kept[name] = tuple(check(each, table, place) for place, each in enumerate(kept[name]))
        return Experiment(
            **kept,
            name=self._name,
            conditions=tuple(self._known.values()),
            figures=self._figures,
            text=self._text,
            games=self._games,
        )

    # ---- conditions ----------------------------------------------------------------------

    def _conditions(self, shared: Mapping[str, Any]) -> Iterator[Condition]:
        if not self._stated.condition:
            raise self._fault("expected at least one [[condition]]: the games to be played")
        names: dict[str, int] = {}
        folders: dict[str, str] = {"": ""}
        for number, values in enumerate(self._stated.condition):
            for condition in self._expanded({**shared, **values}, "condition", number):
                name = condition.name
                if name in names:
                    problem = f"the condition {name!r} already exists (line {names[name]})"
                    raise self._fault(f"{problem}: use another name", "condition", number, "name")
                if (folder := slug(name)) in folders:
                    problem = f"the condition {name!r} has no folder name of its own"
                    other = f": that of {folders[folder]!r}" if folder else ""
                    raise self._fault(problem + other, "condition", number, "name")
                names[name], folders[folder] = condition.line, name
                if len(names) > _MOST_CONDITIONS:
                    problem = f"expected at most {_MOST_CONDITIONS} conditions"
                    raise self._fault(problem, "condition", number, "each")
                yield condition

    def _expanded(self, given: dict[str, Any], *place: str | int) -> Iterator[Condition]:
        """Yield the conditions of a table: one, or one for each choice of `each`."""
        varied = {name: given.pop(name) for name in _CHOICES if name in given}
        choices: _Choices = self._record(varied, _Choices, *place)
        each = choices.each
        for name, values in each.items():
            self._record(values, _Values, *place, "each", name)
        for entry in ("different", "unordered"):
            with self._at(*place, entry):
                for name in getattr(choices, entry):
                    check_name("name of [condition.each]", name, each)
        line = line_of(self._text, place)
        for choice in product(*each.values()):
            chosen = dict(zip(each, choice, strict=True))
            if len({chosen[name] for name in choices.different}) < len(choices.different):
                continue
            order = [each[name].index(chosen[name]) for name in choices.unordered]
            if order != sorted(set(order)):
                continue
            filled = {}
            for entry, value in given.items():
                with self._at(*place, entry):
                    fill = partial(_filled, chosen=chosen, text=entry in ("name", "minds"))
                    filled[entry] = _changed(value, fill)
            table: _Table = self._record(filled, _Table, *place)
            table.options = {name: _option(value) for name, value in table.options.items()}
            yield Condition(table.name, self._plan(table, chosen, *place), line, table.options)

    def _plan(self, table: _Table, chosen: Mapping[str, Any], *place: str | int) -> Plan:
        options = {"rules": table.rules or None, "players": table.players, **table.options}
        usual: tuple[str, ...] = ()
        try:
            seats = len(self._game.setup(**options).players)
            usual = ("minds",)
            with self._at(*place, "minds"):
                minds = _seated(table, seats)
            return plan(
                self._game.name,
                options,
                games=self._games or table.games,
                minds=minds,
                rotate=table.rotate,
                seed=table.seed,
                turns=table.turns,
                assess=self._stated.curve,
                measures=self._stated.measures,
                keep_faults=True,
                timed=True,
            )
        except ExperimentError:
            raise
        except SymkripkeError as error:
            entry, value = next(_meant(error, table, chosen), (usual, ""))
            raise self._fault(str(error), *place, *entry, value=value) from None

    # ---- when to stop, and what to compare with -------------------------------------------

    def _check(
        self,
        figure: str,
        condition: str | None,
        mind: str,
        place: tuple[str | int, ...],
        at: tuple[str, str] = ("condition", "mind"),
    ) -> None:
        """Raise `ExperimentError` unless the figure of the mind is reported for the condition.

        Args:
            figure: the name of the figure; empty for any figure of a mind.
            condition: the name of the condition; None for any condition.
            mind: the kind of mind; empty for figures of whole games.
            place: the path to the table.
            at: the names of the entries with the condition and the mind.
        """
        if figure:
            with self._at(*place, "figure"):
                _check_figure(figure, self._possible)
                if figure not in self._figures:
                    problem = f"the report does not have the figure {figure!r}"
                    raise InputError(
                        f"{problem}, only {', '.join(self._figures)}; add it to the entry 'figures'"
                    )
        if condition is not None:
            with self._at(*place, at[0]):
                check_name("condition", condition, self._known)
        with self._at(*place, at[1]):
            if figure in GAME_FIGURES and mind:
                problem = f"{figure!r} is a figure of whole games: expected no mind, got {mind!r}"
                raise InputError(problem)
            if figure not in GAME_FIGURES and not mind:
                raise InputError(f"expected the mind whose {figure!r} is meant")
            playing = self._known.values() if condition is None else (self._known[condition],)
            if mind:
                known = dict.fromkeys(kind for each in playing for kind in each.minds)
                check_name("mind in these conditions", mind, known)

    def _check_stop(self, stop: Stop) -> None:
        self._check(stop.figure, None, stop.mind, ("stop",))
        if not isinstance(stop, UntilDecided):
            return
        with self._at("stop", "figure"):
            if self._figures[stop.figure].unit != "share":
                raise InputError(f"expected a share to test, got the figure {stop.figure!r}")
        with self._at("stop", "alternative"):
            if stop.null == stop.alternative:
                raise InputError("expected an alternative that differs from the null")
        with self._at("stop", "rule"):
            if any(each.plan.rotate == "deals" for each in self._known.values()):
                raise InputError("a test needs independent games: expected no rotate = 'deals'")
        with self._at("stop", "mind"):
            for each in () if stop.figure == "kind-wins" else self._known.values():
                # Seats of the same game are not independent trials.
                if stop.mind and (seats := each.plan.minds.count(stop.mind)) > 1:
                    raise InputError(
                        f"a test must count each game once, but {stop.mind!r} has {seats} seats "
                        f"in {each.name!r}: test 'kind-wins', or a kind with one seat"
                    )

    def _published(self, each: Published, *place: str | int) -> Published:
        self._check(each.figure, each.condition, each.mind, place)
        share = self._figures[each.figure].unit == "share"
        self._check_numbers(each, ("value", "matters"), *place)
        usual = MATTERS if share else MATTERS_PART * each.value or 1.0
        return structs.replace(each, matters=each.matters or usual)

    def _curve(self, each: PublishedCurve, *place: str | int) -> PublishedCurve:
        if not self._stated.curve:
            raise self._fault("expected `curve = true` above for a curve to compare with", *place)
        self._check("", each.condition, each.mind, place)
        turns, values = each.turns or tuple(range(len(each.values))), len(each.values)
        if len(turns) != values:
            problem = f"expected a turn for each of {values} values, got {len(turns)}"
            raise self._fault(problem, *place, "turns")
        return structs.replace(each, turns=turns)

    def _comparison(self, each: Comparison, *place: str | int) -> Comparison:
        what = "a condition" if each.figure in GAME_FIGURES else "a condition and a mind"
        if bool(each.second) == (each.against is not None):
            raise self._fault("expected either 'second' or 'against'", *place)
        sides = {}
        for side, named in (("first", each.first), ("second", each.second)):
            if side == "second" and not named:
                continue
            if len(named) != (1 if each.figure in GAME_FIGURES else 2):
                problem = f"expected {what} for {side!r}, got {list(named)}"
                raise self._fault(problem, *place, side)
            sides[side] = condition, mind = (*named, "")[:2]
            self._check(each.figure, condition, mind, place, (side, side))
        if each.first == each.second:
            raise self._fault("expected two different sides", *place, "second")
        self._check_numbers(each, ("against", "equivalent"), *place)
        return structs.replace(each, **sides)

    def _check_numbers(
        self, each: Published | Comparison, entries: Sequence[str], *place: str | int
    ) -> None:
        """Raise `ExperimentError` if a number of a share is above 1."""
        if self._figures[each.figure].unit != "share":
            return
        for entry in entries:
            if (value := getattr(each, entry)) is not None and value > 1:
                problem = f"expected a number from 0 to 1 for {entry!r}, got {value:g}"
                raise self._fault(problem, *place, entry)


def _entries(values: Any, kind: type[Struct], path: Sequence[str | int]) -> Sequence[str]:
    """Return the possible entries of the table at a path."""
    if kind is _Table:
        return (*_Table.__struct_fields__, *_CHOICES)
    if not path:
        return (*kind.__struct_encode_fields__, *_SHARED)
    if path[0] == "stop":
        return ("rule", *_RULES[values["stop"]["rule"]].__struct_fields__)
    return _TABLES[str(path[0])].__struct_fields__


def _check_figure(name: str, figures: Mapping[str, Figure]) -> None:
    """Raise `InputError` for an unknown figure, with near names and all figures."""
    if name not in figures:
        known, near = ", ".join(figures), hint(name, figures)
        advice = f"{near} The figures are {known}" if "?" in near else f"; expected one of {known}"
        raise InputError(f"unknown figure {clipped(name)!r}{advice}")


def _changed(value: Any, change: Callable[[str], Any]) -> Any:
    """Return the value with `change` applied to each text in it."""
    if isinstance(value, dict):
        return {name: _changed(inner, change) for name, inner in value.items()}
    if isinstance(value, list):
        return [_changed(inner, change) for inner in value]
    return change(value) if isinstance(value, str) else value


def _filled(template: str, chosen: Mapping[str, Any], *, text: bool) -> Any:
    """Return a text with the names in braces replaced by their chosen values.

    A template that is a single name becomes its value, or with `text`, its value as a text.

    Raises:
        InputError: a name is unknown, or braces are not in pairs.
    """
    # `str.format` would read attributes, and pad numbers to any width.
    plain = _NAMED.sub("", template)
    if "{" in plain or "}" in plain:
        raise InputError(f"expected names in braces, as {{players}}, in {template!r}")

    def value(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        check_name("name of [condition.each]", match[1], chosen)
        return _option(chosen[match[1]])

    alone = _NAMED.fullmatch(template)
    if not text and alone and alone[1] in chosen:
        return chosen[alone[1]]
    return _NAMED.sub(value, template)


def _seated(table: _Table, seats: int) -> tuple[str, ...]:
    """Return one mind per seat; `fill` takes the other seats."""
    seated = [*repeated(table.minds)]
    if table.fill:
        seated.extend([table.fill] * (seats - len(seated)))
    elif len(seated) <= 1:
        return tuple(seated)
    if len(seated) != seats:
        raise InputError(f"expected {seats} minds for {seats} players, got {len(seated)}")
    return tuple(seated)


def _meant(
    error: SymkripkeError, table: _Table, chosen: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield the entries and the values in them that may have caused an error.

    A value of `each` is used in other entries, but has to be corrected in `each`.
    """
    wrong = error.name.partition(":")[0] if isinstance(error, UnknownName) else None

    def meant(value: object) -> bool:
        if wrong is not None:
            return str(value).partition(":")[0] == wrong
        return re.search(rf"(?<![\w.]){re.escape(str(value))}(?![\w.])", str(error)) is not None

    for name, value in chosen.items():
        if meant(value):
            yield ("each", name), value
    for name in ("fill", "players"):
        if (value := getattr(table, name)) and meant(value):
            yield (name,), value
    for name, value in table.options.items():
        if meant(name) or meant(value):
            yield ("options",), name
    if wrong and wrong == table.rules:
        yield ("rules",), wrong


def _option(value: Any) -> str:
    """Return the value of an option as it would be typed, because options parse text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


__all__ = ["ExperimentError", "parse", "read"]
