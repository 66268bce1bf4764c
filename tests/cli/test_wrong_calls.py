"""Wrong calls: they give one clear error with its exit code, print nothing and write no file."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symkripke.cli import UNANSWERED, group
from tests.cli.support import SEAT, run
from tests.support.readme import ROOT

BEGIN = "begin cluedo new --player plum --holds"

# A call, its exit code, and a part of the error. LOG is a logged game, SKP and TXT are problems.
WRONG = (
    ("plya", 2, "'plya'; did you mean 'play'"),
    ("play", 2, "Missing argument 'GAME'"),
    ("play clued", 1, "'clued'; did you mean 'cluedo'"),
    ("play cluedo --players 7", 1, "3 to 6 players, got 7"),
    ("play cluedo --minds clever", 1, "'clever'"),
    ("play cluedo --minds random,", 2, "commas"),
    ("play cluedo --edition uk", 1, "'uk'"),
    ("play cluedo --log none/game.jsonl", 1, "none/game.jsonl"),
    ("play cluedo --names Ann,ann,Bob", 1, "'ann' is given twice"),
    ("play cluedo --set =3", 2, "'=3'"),
    ("play cluedo --set size=1/1/1 --set size=2/2/2", 2, "size is given twice"),
    ("play cluedo --players 3 --size 2/2/3 --worlds --brief", 2, "--brief and --worlds"),
    ("play cluedo --players 3 --size 3/3/3 --set silence_speaks --minds random", 1, "random"),
    ("play cluedo --human plum --set silence_speaks", 1, "reveals nothing"),
    ("play cluedo --human you", 1, "'you'"),
    ("play kwartet --human ann --json", 2, "are for watching"),
    ("play kwartet --human ann --human Ann", 2, "named twice"),
    ("play kwartet --human zoe --names ann,bob,cath", 1, "'zoe'"),
    ("play kwartet --human ann --minds random,random", 2, "expected 1 or 3"),
    ("play kwartet --resume x.jsonl", 2, "leave out GAME"),
    ("play --resume nothing.jsonl", 1, "nothing.jsonl"),
    ("play kwartet --quiz --brief", 2, "--quiz"),
    ("simulate cluedo --players 3 --worlds", 2, "--out DIR"),
    ("simulate cluedo --worlds --results-only --out x", 2, "--results-only and --worlds"),
    (f"{BEGIN} rope,hlal,white", 1, "'hlal'; did you mean 'hall'"),
    (f"{BEGIN} rope,hall", 1, "plum to be dealt 3"),
    (f"{BEGIN} rope,,hall", 1, "commas"),
    (f"{BEGIN} rope --minds random", 2, "people"),
    ("begin old_maid new --player ann --holds ''", 1, "13 cards, got 0"),
    (f"begin cluedo new {' '.join(SEAT)} --set dealt_more=ann", 1, "expected 2 players"),
    (f"begin cluedo new {' '.join(SEAT)} --set dealt_more=ann,ann", 1, "given twice"),
    ("table LOG --game cluedo", 2, "exists: leave out the options"),
    ("note LOG '' ' ;; '", 2, "empty text"),
    ("list none", 1, "none"),
    ("sheet LOG", 2, "--player"),
    ("sheet LOG --player white --at 99", 1, "a turn from 0 to"),
    ("odds LOG --player white --weighting bays", 1, "'bayes'"),
    ("who LOG --at -1", 1, "a turn from 0 to"),
    ("review LOG --player plumm", 1, "'plumm'"),
    ("review LOG --turns x", 2, "turns like"),
    ("review LOG --turns 5-2", 2, "A not after B"),
    ("review LOG --svg nowhere/at/all.svg", 1, "nowhere/at/all.svg"),
    ("ask none.jsonl true", 1, "none.jsonl"),
    ("ask '' true", 1, "name of the file is empty"),
    ("ask LOG 'K[white] at(dager, white)'", 1, "'dager'"),
    ("ask LOG 'K[white] at(dagger, white'", 1, "')'"),
    ("ask LOG 'location(dagger) = whit'", 1, "'white'"),
    ("ask LOG true --engine z4", 1, "'z4'"),
    ("ask LOG 'P[white](true)' --engine sat", 1, "does not count"),
    ("ask LOG true --engine sat --weighting bayes", 1, "sat"),
    ("export TXT 'K[Ann] p9' --format smtlib", 1, "p9"),
    ("export TXT p1 --format dot --at 9", 1, "--at from 0 to 3"),
    ("export TXT 'K[Ann] p1' --format dot --player Ann", 1, "no actual world"),
    ("export TXT p1 --format dot --valid --player Ann", 2, "cannot be combined"),
    ("export LOG 'K[white] M[mustard] true' --format dimacs", 1, "qdimacs"),
    ("check .", 1, "cannot read"),
    ("check LOG", 1, "the log of a game"),
    ("check SKP --set m=5", 1, "'m'"),
    ("check SKP --set n", 2, "n"),
    ("check SKP --set n=" + "9" * 5_000, 1, "5,000 digits"),
    ("check TXT --format symkripke", 1, "'VARS'"),
    ("check TXT --format smdcel", 1, "'smcdel'"),
    ("check TXT --set n=3", 1, "no names to set"),
    ("check - --quiz", 2, "needs a file"),
    ("convert SKP", 1, "'VARS'"),
    ("puzzle foo", 1, "`symkripke puzzle`"),
    ("puzzle gossip --n 2", 1, "4 to 12"),
    ("draw muddy_childen", 1, "'muddy_children'"),
    ("draw SKP --agents zoe", 1, "'zoe'"),
    ("draw SKP --agents ann,,bob", 2, "commas"),
    ("draw SKP --fluents mud", 1, "'mud'"),
    ("draw SKP --at 3", 1, "from 0 to 1"),
    ("draw SKP --at 1 --step", 1, "with --step"),
    ("draw SKP --step --story", 2, "--step and --story"),
    ("draw SKP --why p --near 1", 2, "--why and --near"),
    ("draw SKP --layout round", 1, "'round'"),
    ("draw LOG --story --at -5", 1, "-5"),
    ("draw LOG --step --at 1000000000", 1, "1000000000"),
    ("suggest LOG --player white --at 1 --show white,dagger,ballroom,plum", 2, "White"),
    ("experiment run SKP --out x", 1, ".toml"),
    ("new-game 'Lost key'", 1, "lower-case letters"),
    ("new-game class", 1, "Python"),
    ("new-game cluedo", 1, "'cluedo'"),
    ("new-game json", 1, "'json'"),
    ("new-game lost_key --into nowhere", 1, "nowhere"),
    ("play kwartet --human zoe --names ann,bob,cath --log LOG", 1, "already exists"),
    ("draw TXT --player Ann", 1, "no actual world"),
    ("draw TXT --near 1", 1, "this model has none"),
    ("table CUT", 1, "line 1: this is not JSON, or it is cut off"),
    ("ask SKIPS true", 1, "an event of turn 1 (an accusation) or 2, got one of 5"),
)


def put_files(folder: Path, log: Path) -> dict[str, str]:
    """Write a log and problems into the folder; return the paths by name."""
    found = {"LOG": str(folder / "game.jsonl"), "SKP": str(folder / "problem.skp")}
    shutil.copy(log, found["LOG"])
    Path(found["SKP"]).write_text("let n = 1\nagents ann\nfluent p\nactual p\nannounce p\ntrue? p")
    text = log.read_text(encoding="utf-8")
    for name, content in (("CUT", text[:30]), ("SKIPS", text.replace('"turn":2', '"turn":5', 1))):
        found[name] = str(folder / f"{name}.jsonl")
        Path(found[name]).write_text(content, encoding="utf-8")
    found["TXT"] = str(folder / "muddy.txt")
    shutil.copy(ROOT / "tests/data/smcdel/muddy_children.smcdel.txt", found["TXT"])
    return found


def content(folder: Path) -> dict[Path, bytes]:
    """Return the content of all files in a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def files(tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return put_files(tmp_path, log)


@pytest.mark.parametrize(("call", "code", "named"), WRONG)
def test_a_wrong_call_is_one_error(call: str, code: int, named: str, files: dict[str, str]) -> None:
    before = content(Path.cwd())
    result = run(*(files.get(word, word) for word in shlex.split(call)), code=code)
    assert result.stdout == ""
    assert result.stderr.count("Error: ") == 1
    assert named in " ".join(result.stderr.split())
    assert max(map(len, result.stderr.splitlines())) < 600
    assert content(Path.cwd()) == before


def commands(home: click.Group = group, *names: str) -> Iterator[tuple[str, ...]]:
    """Yield the names of all commands, including subcommands."""
    for name in home.list_commands(click.Context(home)):
        found = home.get_command(click.Context(home), name)
        if isinstance(found, click.Group):
            yield from commands(found, *names, name)
        else:
            yield (*names, name)


def parameters(names: tuple[str, ...]) -> list[click.Parameter]:
    """Return the parameters of a command."""
    found: click.Command | None = group
    for name in names:
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), name)
    assert found is not None
    return found.params


@pytest.mark.parametrize("names", [*commands()], ids=" ".join)
def test_every_option_rejects_invalid_values(names: tuple[str, ...], files: dict[str, str]) -> None:
    """Wrong values: an unknown option, numbers out of range or not numbers, an empty path."""
    before = content(Path.cwd())
    assert "--help" in run(*names, "--help").stdout
    calls: list[tuple[str, ...]] = [("--nonsense",)]
    given = []
    for parameter in parameters(names):
        if isinstance(parameter, click.Argument):
            given += ["x"] * parameter.required
            continue
        (*_, flag) = parameter.opts
        if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType):
            calls.append((flag, "x"))
            least = getattr(parameter.type, "min", None)
            if least is not None:
                calls.append((flag, str(least - 1)))
        elif isinstance(parameter.type, click.Path) and parameter.callback is not None:
            calls.append((flag, ""))
    for call in calls:
        result = run(*names, *given, *call, code=2)
        assert result.stdout == ""
        assert call[0] in result.stderr
    assert content(Path.cwd()) == before


# These commands run a server or play many games; `experiment` has tests of its own.
_LONG = {"serve", "simulate", "experiment", "new-game"}
_WORDS = (
    *("", " ", "x", "-1", "0", "1", "2", "99", "1/2", "\x1b[2J", "é", "a,,b", "ann", "white", "p"),
    *("K[", "K[white] at(dagger, white)", "P[ann](p)", "cluedo", "perudo", "muddy_children"),
    *("n=2", "LOG", "SKP", "TXT", "dimacs", "sat", "random", "3/3/4", ".", "none/file"),
)


@st.composite
def call(draw: st.DrawFn) -> list[str]:
    """Draw a command with some of its parameters, most of them with wrong values."""
    names = draw(st.sampled_from([names for names in commands() if names[0] not in _LONG]))
    words = [*names]
    for parameter in parameters(names):
        if isinstance(parameter, click.Argument):
            words += draw(st.lists(st.sampled_from(_WORDS), max_size=2))
        elif "--seconds" in parameter.opts:
            words += ["--seconds", "1"]
        elif draw(st.integers(0, 4)) == 0:
            words.append(draw(st.sampled_from(parameter.opts)))
            if not (isinstance(parameter, click.Option) and parameter.is_flag):
                words.append(draw(st.sampled_from(_WORDS)))
    return words


@settings(max_examples=150)
@given(words=call())
def test_any_call_has_a_result_or_an_error(log: Path, words: list[str]) -> None:
    """There is never a traceback; wrong usage prints nothing else and changes no file."""
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patched:
        patched.chdir(name)
        patched.setenv("XDG_STATE_HOME", name)
        files = put_files(Path(name), log)
        before = content(Path(name))
        result = run(*(files.get(word, word) for word in words), code=None, typed="help\nx\n")
        assert result.exit_code in (0, 1, 2, UNANSWERED)
        assert "bug in this program" not in result.output
        assert (result.exit_code != 0) <= ("Error" in result.output or result.exit_code == 1)
        if result.exit_code == 2:
            assert result.stdout == ""
            assert content(Path(name)) == before
