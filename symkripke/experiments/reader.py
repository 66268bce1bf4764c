"""Reads an experiment from its file. All faults are found before any game is played."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from symkripke.errors import SymkripkeError, UnknownName, clipped
from symkripke.experiments.entries import Entries, ExperimentError
from symkripke.experiments.experiment import (
    GAME_FIGURES,
    GAMES,
    MATTERS,
    MATTERS_PART,
    STANDARD,
    Comparison,
    Condition,
    Experiment,
    Published,
    PublishedCurve,
    Stop,
    UntilDecided,
    UntilNarrow,
)
from symkripke.files import read_text
from symkripke.play.game import Game
from symkripke.play.measure import Figure
from symkripke.play.measures import check_measures
from symkripke.play.registry import game
from symkripke.play.session.table import TURNS
from symkripke.play.tournament import SEEDS, Plan, plan

_MOST_CONDITIONS = 1_000

_NAMED = re.compile(r"\{\{|\}\}|\{([^{}.:!\[\]]*)\}")
"""A name in braces, or a doubled brace, which stands for one."""

# The entries of a condition; at the top of the file they are the defaults of all conditions.
_SHARED = ("rules", "players", "seed", "games", "rotate", "turns", "options", "fill")


def read(path: Path | str, *, games: int | None = None) -> Experiment:
    """The experiment in a file.

    Args:
        path: the file, in TOML; README.md of this folder says what it holds.
        games: how many games each condition has, whatever the file says; None: as it says.

    Raises:
        ExperimentError: something in it is wrong: where, what was expected, what came.
        InputError: the file cannot be read.
    """
    return parse(read_text(path), Path(path).stem, str(path), games=games)


def parse(text: str, name: str, file: str = "", *, games: int | None = None) -> Experiment:
    """The experiment in a text.

    Args:
        text: the text of a file.
        name: what the experiment is called.
        file: the name of the file, for messages; empty: the experiment's name.
        games: how many games each condition has, whatever the text says.

    Raises:
        ExperimentError: something in it is wrong.
    """
    return _Reader(text, name, file or name, games).experiment()


class _Reader:
    def __init__(self, text: str, name: str, file: str, games: int | None) -> None:
        self._text = text
        self._name = name
        self._games = games
        self._top = Entries.parse(file, text)

    def experiment(self) -> Experiment:
        """All of it, checked."""
        top = self._top
        title, question = top.words("title"), top.words("question")
        reading = top.words("reading", "")
        named = top.words("game")
        try:
            self._game: Game[Any, Any] = game(named)
        except SymkripkeError as error:
            top.refuse(error, "game")
        self._measures = self._named_measures()
        figures = self._figures()
        self._curve = top.truth("curve", False)
        ranking = top.truth("ranking", False)
        shared = {entry: value for entry in _SHARED if (value := top.raw(entry)) is not None}
        conditions = tuple(self._conditions(shared))
        self._by_name = {condition.name: condition for condition in conditions}
        stop = self._stop(figures)
        published = tuple(self._published(figures))
        curves = tuple(self._published_curves())
        comparisons = tuple(self._comparisons(figures))
        top.done()
        return Experiment(
            self._name,
            title,
            question,
            reading,
            named,
            conditions,
            figures,
            stop,
            self._curve,
            ranking,
            published,
            curves,
            comparisons,
            self._text,
            self._games,
        )

    # ---- figures -------------------------------------------------------------------------

    def _named_measures(self) -> tuple[str, ...]:
        names = self._top.texts("measures", ())
        try:
            check_measures(self._game, names)
        except SymkripkeError as error:
            self._top.refuse(error, "measures")
        return names

    def _figures(self) -> dict[str, Figure]:
        """The figures to report: those that are named, or all of the measures and the first."""
        measured = {
            name: figure
            for measure in check_measures(self._game, self._measures)
            for name, figure in measure.figures.items()
        }
        known = {**STANDARD, **measured}
        usual = ("losses" if self._game.loser else "wins", "turns", *measured)
        named = self._top.texts("figures", usual)
        for name in named:
            self._check("figure", name, known, self._top, "figures")
        # What went wrong is always said.
        return {name: known[name] for name in (*dict.fromkeys(named), "given-up", "failed")}

    def _check(
        self, kind: str, name: str, known: Mapping[str, Any], where: Entries, entry: str
    ) -> None:
        if name not in known:
            where.refuse(UnknownName(kind, name, known), entry)

    # ---- conditions ----------------------------------------------------------------------

    def _conditions(self, shared: Mapping[str, Any]) -> Iterator[Condition]:
        tables = self._top.tables("condition")
        if not tables:
            raise self._top.fault("expected at least one [[condition]]: the games to be played")
        names: dict[str, int] = {}
        for table in tables:
            for condition in self._expanded(table, shared):
                if condition.name in names:
                    raise table.fault(
                        f"the condition {condition.name!r} is there already "
                        f"(line {names[condition.name]}): two need two names",
                        "name",
                    )
                names[condition.name] = condition.line
                if len(names) > _MOST_CONDITIONS:
                    raise table.fault(f"expected at most {_MOST_CONDITIONS} conditions", "each")
                yield condition

    def _expanded(self, table: Entries, shared: Mapping[str, Any]) -> Iterator[Condition]:
        """The conditions of a table: one, or one for each choice of `each`."""
        own = {name: value for name in _SHARED if (value := table.raw(name)) is not None}
        given = {**shared, **own}
        name, minds = table.words("name"), table.texts("minds", ())
        choices = self._choices(table)
        different = table.texts("different", ())
        unordered = table.texts("unordered", ())
        for entry, names in (("different", different), ("unordered", unordered)):
            for variable in names:
                self._check("name of [condition.each]", variable, choices, table, entry)
        table.done()
        for choice in product(*choices.values()):
            chosen = dict(zip(choices, choice, strict=True))
            if len({chosen[name] for name in different}) < len(different):
                continue
            places = [choices[name].index(chosen[name]) for name in unordered]
            if places != sorted(places) or len(set(places)) < len(places):
                continue
            filled = _Filled(table.holding(own, above=self._top), chosen)
            values = table.holding(filled.value(given), above=self._top)
            written = values.mapping("options")
            options = {option: _option(value) for option, value in written.items()}
            plan = self._plan(table, filled, values, options, minds)
            yield Condition(filled.text(name, "name"), plan, table.line, options)

    def _choices(self, table: Entries) -> dict[str, list[Any]]:
        """What is to be varied: for each name its values."""
        each = table.mapping("each")
        for name, values in each.items():
            fits = isinstance(values, list) and values
            if not fits or not all(isinstance(value, str | int | float) for value in values):
                raise table.fault(
                    f"expected a list of values for {name!r} of [condition.each], "
                    f"got {clipped(repr(values))}",
                    f"each.{name}",
                )
        return each

    def _plan(
        self,
        table: Entries,
        filled: _Filled,
        values: Entries,
        options: Mapping[str, Any],
        minds: Sequence[str],
    ) -> Plan:
        rules = values.words("rules", "") or None
        if rules is not None:
            self._check("rule set", rules, dict.fromkeys(self._game.rules), values, "rules")
        players = values.whole_if_any("players", 1, 100)
        games = values.whole("games", GAMES)
        seed = values.whole("seed", 0, 0, SEEDS - 1)
        turns = values.whole("turns", TURNS)
        rotate = values.truth("rotate", False)
        fill = values.words("fill", "")
        try:
            setup = self._game.setup(rules=rules, players=players, **options)
        except SymkripkeError as error:
            values.refuse(error, *filled.written(error, given=values))
        seated = self._seated(table, filled, minds, fill, len(setup.players))
        try:
            return plan(
                self._game.name,
                {"rules": rules, "players": players, **options},
                games=self._games or games,
                minds=seated,
                rotate=rotate,
                seed=seed,
                turns=turns,
                assess=self._curve,
                measures=self._measures,
                keep_faults=True,
                timed=True,
            )
        except SymkripkeError as error:
            values.refuse(error, *(filled.written(error, given=values) or ("minds",)))

    def _seated(
        self, table: Entries, filled: _Filled, minds: Sequence[str], fill: str, seats: int
    ) -> tuple[str, ...]:
        """One mind a seat: "first-order*3" are three of them; `fill` takes the seats left over."""
        seated: list[str] = []
        for entry in minds:
            mind, star, times = filled.text(entry, "minds").rpartition("*")
            if not star:
                seated.append(times.strip())
                continue
            try:
                seated.extend([mind.strip()] * int(times))
            except ValueError:
                raise table.fault(
                    f"expected a number after the * of {entry!r}, got {times!r}", "minds"
                ) from None
        if fill:
            seated.extend([fill] * (seats - len(seated)))
        elif len(seated) <= 1:
            return tuple(seated)
        if len(seated) != seats:
            raise table.fault(
                f"expected {seats} minds for {seats} players, got {len(seated)}", "minds"
            )
        return tuple(seated)

    # ---- when to stop, and what to compare with -------------------------------------------

    def _stop(self, figures: Mapping[str, Figure]) -> Stop | None:
        table = self._top.table("stop")
        if table is None:
            return None
        rule, figure, mind = table.words("rule"), table.words("figure"), table.words("mind", "")
        self._check("figure", figure, figures, table, "figure")
        self._check_mind(figure, mind, None, table)
        every = table.whole("every", 500)
        stop: Stop
        if rule == "interval":
            stop = UntilNarrow(figure, mind, table.number("width", None, 1e-6), every)
        elif rule == "test":
            if figures[figure].unit != "share":
                raise table.fault(f"expected a share to test, got the figure {figure!r}", "figure")
            null = table.number("null", None, 1e-6, 1 - 1e-6)
            alternative = table.number("alternative", None, 1e-6, 1 - 1e-6)
            if null == alternative:
                raise table.fault(
                    "expected an alternative that differs from the null", "alternative"
                )
            alpha = table.number("alpha", 0.05, 1e-6, 0.5)
            beta = table.number("beta", 0.05, 1e-6, 0.5)
            self._check_trials(figure, mind, table)
            stop = UntilDecided(figure, mind, null, alternative, alpha, beta, every)
        else:
            rules = ("interval", "test")
            table.refuse(UnknownName("rule to stop", rule, rules), "rule")
        table.done()
        return stop

    def _check_trials(self, figure: str, mind: str, table: Entries) -> None:
        """Raises `ExperimentError` if a game has several trials: they would not be independent."""
        if figure in (*GAME_FIGURES, "kind-wins"):
            return
        for condition in self._by_name.values():
            if (seats := condition.plan.minds.count(mind)) > 1:
                raise table.fault(
                    f"a test needs games that count once, and {mind!r} has {seats} seats in "
                    f"{condition.name!r}: test 'kind-wins', or a kind with one seat",
                    "mind",
                )

    def _check_mind(
        self, figure: str, mind: str, condition: Condition | None, table: Entries
    ) -> None:
        """Raises `ExperimentError` unless the figure is one of this mind, and it plays there."""
        if figure in GAME_FIGURES:
            if mind:
                raise table.fault(
                    f"{figure!r} is a figure of whole games: expected no mind, got {mind!r}",
                    "mind",
                )
            return
        playing = self._by_name.values() if condition is None else (condition,)
        known = dict.fromkeys(kind for found in playing for kind in found.minds)
        if not mind:
            raise table.fault(f"expected the mind whose {figure!r} is meant", "mind")
        self._check("mind in these conditions", mind, known, table, "mind")

    def _condition(self, name: str, table: Entries, entry: str) -> Condition:
        self._check("condition", name, self._by_name, table, entry)
        return self._by_name[name]

    def _published(self, figures: Mapping[str, Figure]) -> Iterator[Published]:
        for table in self._top.tables("published"):
            condition = self._condition(table.words("condition"), table, "condition")
            figure, mind = table.words("figure"), table.words("mind", "")
            self._check("figure", figure, figures, table, "figure")
            self._check_mind(figure, mind, condition, table)
            most = 1.0 if figures[figure].unit == "share" else 1e9
            value = table.number("value", None, 0.0, most)
            games = table.whole_if_any("games", 1, 10**9)
            share = figures[figure].unit == "share"
            usual = MATTERS if share else MATTERS_PART * value or 1.0
            matters = table.number("matters", usual, 1e-9, most)
            source, note = table.words("source"), table.words("note", "")
            table.done()
            yield Published(condition.name, figure, mind, value, games, matters, source, note)

    def _published_curves(self) -> Iterator[PublishedCurve]:
        for table in self._top.tables("published_curve"):
            if not self._curve:
                raise table.fault("expected `curve = true` above for a curve to compare with")
            condition = self._condition(table.words("condition"), table, "condition")
            mind = table.words("mind")
            self._check_mind("wins", mind, condition, table)
            values = table.numbers("values")
            turns = tuple(range(len(values)))
            if "turns" in table:
                turns = tuple(map(int, table.numbers("turns")))
            if len(turns) != len(values):
                raise table.fault(
                    f"expected a turn for each of {len(values)} values, got {len(turns)}", "turns"
                )
            source, note = table.words("source"), table.words("note", "")
            table.done()
            yield PublishedCurve(condition.name, mind, turns, values, source, note)

    def _comparisons(self, figures: Mapping[str, Figure]) -> Iterator[Comparison]:
        for table in self._top.tables("compare"):
            figure = table.words("figure")
            self._check("figure", figure, figures, table, "figure")
            sides = []
            for side in ("first", "second"):
                named = table.texts(side)
                wanted = 1 if figure in GAME_FIGURES else 2
                if len(named) != wanted:
                    what = "a condition" if wanted == 1 else "a condition and a mind"
                    raise table.fault(f"expected {what} for {side!r}, got {list(named)}", side)
                condition = self._condition(named[0], table, side)
                mind = named[1] if wanted == 2 else ""
                if mind:
                    minds = dict.fromkeys(condition.minds)
                    self._check(f"mind in {condition.name!r}", mind, minds, table, side)
                sides.append((condition.name, mind))
            table.done()
            if sides[0] == sides[1]:
                raise table.fault("expected two that differ", "second")
            yield Comparison(sides[0], sides[1], figure)


class _Filled:
    """Puts the values of `each` where the entries of a condition have their names: {players}."""

    def __init__(self, table: Entries, chosen: Mapping[str, Any]) -> None:
        self._table = table
        self._chosen = chosen

    def text(self, template: str, entry: str) -> str:
        """The text with all names replaced; raises `ExperimentError` for an unknown name."""
        # `str.format` would read attributes, and write numbers as wide as a template says.
        plain = _NAMED.sub("", template)
        if "{" in plain or "}" in plain:
            raise self._table.fault(
                f"expected names in braces, as {{players}}, in {template!r}", entry
            )

        def value(found: re.Match[str]) -> str:
            name = found[1]
            if name is None:
                return found[0][0]
            if name not in self._chosen:
                kind = "name of [condition.each]"
                self._table.refuse(UnknownName(kind, name, self._chosen), entry)
            return str(_option(self._chosen[name]))

        return _NAMED.sub(value, template)

    def written(self, error: SymkripkeError, *, given: Entries) -> tuple[str, object] | tuple[()]:
        """The entry and the value in it of which an error speaks, as far as that can be told.

        A value of `each` is used in other entries; but where it is written it must be mended.
        """
        said = str(error)
        wrong = error.name if isinstance(error, UnknownName) else None

        def meant(value: object) -> bool:
            if wrong is not None:
                return str(value).partition(":")[0] == wrong.partition(":")[0]
            return re.search(rf"(?<![\w.]){re.escape(str(value))}(?![\w.])", said) is not None

        for name, value in self._chosen.items():
            if meant(value):
                return f"each.{name}", value
        for name in ("fill", "players"):
            if (value := given.raw(name)) is not None and meant(value):
                return name, value
        for name, value in given.mapping("options").items():
            if meant(name) or meant(value):
                return "options", name
        return ()

    def value(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The values with all names replaced; a value that is a name alone becomes its value."""
        return {name: self._value(name, value) for name, value in given.items()}

    def _value(self, name: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._value(name, inner) for key, inner in value.items()}
        if not isinstance(value, str):
            return value
        bare = value.strip().removeprefix("{").removesuffix("}")
        if value.strip() == f"{{{bare}}}" and bare in self._chosen:
            return self._chosen[bare]
        return self.text(value, name)


def _option(value: Any) -> Any:
    """The value of an option as somebody would type it: options read texts."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    return str(value) if isinstance(value, int | float) else value


__all__ = ["ExperimentError", "parse", "read"]
