"""Inputs, and one of each kind by seed and number."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tests.soak.common import SMALL_STUDY
from tests.soak.formula_texts import FEW, deep, formula
from tests.soak.fuzz import shipped
from tests.soak.fuzz.mutations import ODD_NUMBERS, ODD_TEXTS, broken, edited, mutated, mutated_log
from tests.soak.odd_calls import ODD_ANYWHERE, RIGHT, filled

SECONDS = (0.3, 0.3, 0.3, 0.3, 1.0)
"""The time limits of commands and calls that accept one. Most are short, because they also
reveal overruns and take less time.
"""

ALONE = 30
"""One input out of this number runs in a separate process."""

# Their time limit, which includes the import of the program.
_SECONDS_ALONE = 2.0


@dataclass(frozen=True)
class Input:
    """One input.

    Attributes:
        command: the arguments of the program; empty for a program of calls.
        program: lines of Python, each run separately; empty for a command.
        files: the files in its working folder, by name.
        stdin: the standard input.
        seconds: the time limit that it gives to each step; None for no limit.
        steps: the maximum number of steps with that limit.
        writes: the files that it may write.
        codes: the correct exit codes; if empty, any code that matches the output.
        fresh: whether it runs in a separate process.
        kind: one of `KINDS`.
    """

    command: tuple[str, ...] = ()
    program: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    stdin: str = ""
    seconds: float | None = None
    steps: int = 1
    writes: tuple[str, ...] = ()
    codes: tuple[int, ...] = ()
    fresh: bool = False
    kind: str = ""


def _limit(seconds: float) -> tuple[str, ...]:
    return "--seconds", str(seconds)


def _some(chance: Random, share: float, *options: Sequence[str]) -> tuple[str, ...]:
    """Return a random choice of the options, each with probability `share`."""
    return tuple(word for option in options if chance.random() < share for word in option)


def _limited(chance: Random, seconds: float) -> tuple[str, ...]:
    engine = chance.choice(("auto", "sat", "bdd", "smt", "explicit", "none"))
    more = _some(chance, 0.3, ("--engine", engine), ("--why",), ("--json",))
    return *_limit(seconds), *more


def _steps(text: str) -> int:
    """Return an upper bound on the steps of a problem file, including repetitions and the start."""
    events = ("announce", "show", "tell", "change", "fluent")
    return 2 + 2 * text.count("?") + 2 * sum(text.count(word) for word in events)


# ---- makers, one for each kind --------------------------------------------------------------


def _problem(chance: Random, seconds: float) -> Input:
    text = mutated(chance.choice(shipped.problems()), chance)
    if chance.random() < 0.2:
        asked = formula(chance, 4, FEW)
        if chance.random() < 0.2:
            asked = deep(chance)
        happens = formula(chance, 2, FEW)
        text = (
            "agents a, b\nfluent p, q, r\nfluent x, y in 0..3\nlaw p | q | x < y\n"
            f"a sees p, x\nb sees q, x + y\nannounce {happens}\nvalid? {asked}\nwhere? {asked}\n"
        )
    odd = chance.choice(("n=2", "n=", "n=x", "n=-1", "x=1", f"n={'9' * 5_000}", "=", "n=3=4"))
    command = ("check", "a.skp", *_limited(chance, seconds), *_some(chance, 0.1, ("--set", odd)))
    return Input(command, files={"a.skp": text}, seconds=seconds, steps=_steps(text))


def _smcdel(chance: Random, seconds: float) -> Input:
    text = mutated(chance.choice(shipped.smcdel()), chance)
    if chance.random() < 0.05:
        most = chance.choice((10, 200, 20_000))
        text = f"VARS {','.join(map(str, range(most)))}\nLAW Top\nOBS a: 1\nVALID? 1\n"
    files = {"a.txt": text}
    if chance.random() < 0.3:
        command = ("convert", "a.txt", *_limit(seconds), *_some(chance, 0.3, ("-o", "b.skp")))
        return Input(command, files=files, seconds=seconds, steps=2, writes=("b.skp",))
    command = ("check", "a.txt", "--format", "smcdel", *_limited(chance, seconds))
    return Input(command, files=files, seconds=seconds, steps=_steps(text))


_NAMES = ("plum", "ann", "bob", "white", "nobody", "")


def _about_a_log(chance: Random, seconds: float, log: str) -> tuple[str, ...]:
    """Return a command that reads a log."""
    who = chance.choice(_NAMES)
    asked = chance.choice(
        (
            f"K[{who}] M[{chance.choice(_NAMES)}] knows_solution({chance.choice(_NAMES)})",
            f"C[*] ~holds({who}, rope)",
            f"P[{who}](at(rope, envelope))",
            f"B[{who}] at(rope, {chance.choice(_NAMES)}) -> E[*] M[{who}] at(rope, envelope)",
        )
    )
    form = chance.choice(("dimacs", "qdimacs", "smtlib", "dot", "none"))
    command = chance.choice(
        (
            *(("ask", log, asked), ("ask", log, "true"), ("export", log, asked, "--format", form)),
            *(("sheet", log, "--player", who), ("who", log), ("odds", log, "--player", who)),
            *(("suggest", log, "--player", who), ("review", log, "--brief", "--player", who)),
            ("sample", log, "--player", who, "--number", "2"),
        )
    )
    if command[0] == "ask":
        command = (*command, *_limited(chance, seconds))
    elif command[0] != "export":
        command = (*command, *_limit(seconds), *_some(chance, 0.3, ("--json",)))
    at = ("--at", str(chance.choice((0, 1, 2, 3, 5, -1, 10**9))))
    return command if command[0] == "review" else (*command, *_some(chance, 0.6, at))


def _log(chance: Random, seconds: float) -> Input:
    text = mutated_log(chance.choice(shipped.logs()), chance)
    command = _about_a_log(chance, seconds, "a.jsonl")
    return Input(command, files={"a.jsonl": text}, seconds=seconds, steps=3)


def _edition(chance: Random, seconds: float) -> Input:
    name = chance.choice(sorted(shipped.EDITIONS))
    text = mutated(shipped.EDITIONS[name], chance)
    where = ("--set", "deck=a.toml") if name == "kwartet" else ("--edition", "a.toml")
    players = ("--players", str(chance.choice((2, 3, 3, 4))))
    command: tuple[str, ...]
    if chance.random() < 0.5:
        held = chance.choice(("rope", "ann", "", "ann,bob", "stapler,lift"))
        command = ("begin", name, "b.jsonl", *where, *players, "--player", "plum", "--holds", held)
    else:
        command = ("play", name, *where, *players, "--minds", "random", "--brief", "--seed", "1")
    # The number of decisions in a game, each with that limit, is not known.
    limit, writes = (None, ()) if command[0] == "play" else (seconds, ("b.jsonl",))
    command, files = (*command, *_limit(seconds)), {"a.toml": text}
    return Input(command, files=files, seconds=limit, steps=3, writes=writes)


_VALUES = (
    *(*ODD_TEXTS, *map(str, ODD_NUMBERS), "3", "1.5", "nan", "inf", "cluedo", "study", "random"),
    *("plum", "a,b", "a,,b", "2/2/2", "a.jsonl", "a.skp", ".", "missing/x"),
)
_FLAGS = (
    *("--json", "--why", "--worlds", "--brief", "--at", "--seed", "--top", "--help", "--set", "-o"),
    *("--names", "--minds", "--size", "--none", "--number", "--force"),
)

# Options for output files, and commands that write to the given log.
_WRITING = {"-o", "--output", "--log", "--force", "--out", "begin", "table", "note", "undo", "edit"}


def _options(chance: Random, seconds: float) -> Input:
    """Return a command line with changed options, values or arguments."""
    files = {"a.skp": shipped.problems()[0], "a.jsonl": shipped.logs()[0]}
    words = list(_commands(chance, seconds))
    if chance.random() < 0.8:
        words = edited(words, chance, (*_VALUES, *_FLAGS * 3))
    # Remove zero bytes, which no system passes on.
    command = tuple(word.replace("\0", "") for word in words)
    plays = any(word in ("play", "simulate", "puzzle") for word in command)
    return Input(
        command,
        files=files,
        stdin="\n" * 3,
        writes=("*",) if _WRITING & set(command) else (),
        seconds=seconds if "--seconds" in command and not plays else None,
        steps=20,
        fresh="simulate" in command,
    )


def _commands(chance: Random, seconds: float) -> tuple[str, ...]:
    game = chance.choice(("cluedo", "kwartet", "old_maid", "perudo", "sleuth"))
    small = ("--players", "3", "--minds", "random", "--brief", "--seed", "1", *_limit(seconds))
    shown = chance.choice(shipped.commands())
    # Replace the files of the pages, which do not exist here, by those in this folder.
    logs = [re.sub(r".*\.jsonl$", "a.jsonl", word) for word in shown]
    shown = tuple(re.sub(r".*\.(skp|txt)$", "a.skp", word) for word in logs)
    if shown[0] in ("play", "simulate"):
        shown = ("games", game)
    return chance.choice(
        (
            ("games", game),
            ("play", game, *small),
            ("play", game, *small, "--log", "b.jsonl"),
            ("puzzle", "muddy_children", "--n", "3", *_limit(seconds)),
            ("begin", game, "b.jsonl", "--player", "plum", "--holds", "rope", *_limit(seconds)),
            ("check", "a.skp", *_limited(chance, seconds)),
            ("simulate", game, "--games", "1", "--workers", "1", "--minds", "random", "--json"),
            _about_a_log(chance, seconds, "a.jsonl"),
            shown,
            shown,
        )
    )


def _prompt(chance: Random, seconds: float) -> Input:
    """Return lines typed at a prompt."""
    words = ("undo", "list", "why", "help", "quit", "save b.skp", "at 1", "player ann", "?", "")
    lines = ["agents a, b", "fluent p, q", "a sees p"]
    for _ in range(chance.randrange(8)):
        asked = formula(chance, 2, FEW)
        start = chance.choice(("true? ", "valid? ", "where? ", "announce ", "law ", ""))
        lines.append(chance.choice((*words, start + asked, start + asked, start + asked)))
    text = mutated("\n".join(lines) + "\n", chance)
    if chance.random() < 0.3:
        log = mutated_log(shipped.logs()[0], chance) if chance.random() < 0.3 else shipped.logs()[0]
        command: tuple[str, ...] = ("ask", "a.jsonl", *_limited(chance, seconds))
        files = {"a.jsonl": log}
    else:
        command, files = ("check", "-", *_limited(chance, seconds)), {}
    return Input(
        command,
        files=files,
        stdin=text,
        seconds=seconds,
        steps=2 * text.count("\n") + 4,
        writes=("*",) if "save" in text else (),
    )


def _study(chance: Random, seconds: float) -> Input:
    """Return a study that is shown or run."""
    text = mutated(chance.choice(shipped.studies()), chance)
    json = _some(chance, 0.3, ("--json",))
    if chance.random() < 0.7:
        return Input(("experiment", "show", "a.toml", *json), files={"a.toml": text})
    # Whole studies take minutes, so only a small one is run, with the same mutations.
    small = ("--games", "1", "--workers", "1", "--no-report", *_limit(seconds), *json)
    command = ("experiment", "run", "a.toml", "--out", "out", *small)
    return Input(command, files={"a.toml": mutated(SMALL_STUDY, chance)}, writes=("*",))


def _picture(chance: Random, seconds: float) -> Input:
    """Return a drawing of a problem file or a log."""
    log = chance.random() < 0.4
    if log:
        name, text = "a.jsonl", mutated_log(chance.choice(shipped.logs()), chance)
    else:
        name, text = "a.skp", chance.choice(shipped.problems())
        text = mutated(text, chance) if chance.random() < 0.5 else text
    asked = formula(chance, 2, FEW)
    options = (
        *(("--step",), ("--story",), ("--why", asked), ("--grey", asked), ("-o", "b.svg")),
        ("--at", str(chance.choice((0, 1, 2, 5, -1, 10**9)))),
        ("--near", str(chance.choice((0, 1, 2, 3, -1)))),
        ("--agents", chance.choice(("a", "a,b", "plum", "", "a,,b"))),
        ("--fluents", chance.choice(("p", "p,q", "", "nothing"))),
        ("--player", chance.choice(_NAMES)),
        ("--layout", chance.choice(("auto", "areas", "lines", "table", "none"))),
        ("--format", chance.choice(("svg", "html", "none"))),
    )
    command = ("draw", name, *_limit(seconds), *_some(chance, 0.2, *options))
    steps = _steps(text) if not log else 20
    return Input(command, files={name: text}, seconds=seconds, steps=steps, writes=("b.svg",))


_SEATED = {
    "cluedo": ("plum", ("suggest green rope lounge", "show rope", "accuse", "no")),
    "kwartet": ("ann", ("ask bob for cow", "ask bob cath", "has cath fat_cow")),
    "old_maid": ("ann", ("draw from bob", "draw 1", "lay down", "take")),
    "perudo": ("ann", ("two fives", "2 5", "doubt", "one six", "calza")),
    "sleuth": ("ann", ("ask bob red diamonds", "ask bob any opals", "declare")),
}
"""For each game, a seat and possible input of its player."""


def _person(chance: Random, seconds: float) -> Input:
    """Return lines typed by a person who plays against minds."""
    game = chance.choice(sorted(_SEATED))
    who, moves = _SEATED[game]
    asked = ("hint", "take", "suggest", "sheet", "odds", "who", "why", "moves", "list", "undo")
    others = ("help", "", "", "resign", "quit", "?", "ask true", f"why K[{who}] true", ":take 2")
    lines = [chance.choice((*moves, *asked, *others, "take", "take")) for _ in range(8)]
    text = mutated("\n".join(lines) + "\n", chance) if chance.random() < 0.5 else "\n".join(lines)
    who = who if chance.random() < 0.95 else chance.choice(_NAMES)
    seed = ("--players", "3", "--minds", "random", "--seed", str(chance.randrange(50)))
    options = ("--human", who, *_some(chance, 0.2, ("--quiz",)), *_limit(seconds))
    command, steps = ("play", game, *seed, *options, "--log", "b.jsonl"), text.count("\n") + 2
    return Input(command, stdin=text, seconds=seconds, steps=steps, writes=("b.jsonl",))


def _formula(chance: Random, seconds: float) -> Input:
    text = deep(chance) if chance.random() < 0.15 else formula(chance, chance.choice((2, 4, 6)))
    if chance.random() < 0.2:
        text = mutated(text, chance)
    name = chance.choice(("auto", "auto", "sat", "sat", "bdd", "smt", "explicit"))
    asked = chance.choice(("holds(scene, ", "holds(view, ", "valid(structure, ", "witness(scene, "))
    why = ".why()" if asked.startswith(("holds(s", "valid")) and chance.random() < 0.2 else ""
    program = (
        f"read = sk.parse({text!r}); assert sk.parse(str(read)) == read, 'reads as another'",
        f"engine = sk.engine({name!r})",
        f"engine.{asked}{text!r}, sk.Budget(seconds={seconds})){why}",
    )
    return Input(program=program, seconds=seconds, steps=2)


def _calls(chance: Random, seconds: float) -> Input:
    """Return calls with values of the declared types; names, sizes or order may be wrong."""
    return _program(RIGHT, 0.0, chance, seconds)


def _types(chance: Random, seconds: float) -> Input:
    """Return calls with any values anywhere."""
    return _program(ODD_ANYWHERE, 0.5, chance, seconds)


def _program(calls: Sequence[str], odd: float, chance: Random, seconds: float) -> Input:
    lines = tuple(
        filled(chance.choice(calls), chance, seconds, odd)
        for _ in range(chance.choice((1, 3, 6, 10)))
    )
    return Input(program=lines, seconds=seconds, steps=len(lines), writes=("*",))


def _untouched(chance: Random, seconds: float) -> Input:
    """Return an unchanged file of the package, which must succeed or reach the limit."""
    command: tuple[str, ...]
    if chance.random() < 0.5:
        text = chance.choice(shipped.smcdel())
        command = ("check", "a", "--format", "smcdel")
    else:
        text, command = chance.choice(shipped.logs()), ("ask", "a", "true")
    command, steps = (*command, *_limit(seconds)), _steps(text) + 3
    return Input(command, files={"a": text}, seconds=seconds, steps=steps, codes=(0, 3))


def _broken(chance: Random, seconds: float) -> Input:
    """Return a command with files that decoders cannot read."""
    maker = chance.choice((_problem, _smcdel, _log, _log, _edition, _edition, _study, _picture))
    made = maker(chance, seconds)
    files = {name: broken(text, chance) for name, text in made.files.items()}
    return replace(made, files=files, codes=())


_MAKERS: dict[str, tuple[int, Callable[[Random, float], Input]]] = {
    "formulas": (20, _formula),
    "problems": (20, _problem),
    "logs": (15, _log),
    "calls": (13, _calls),
    "types": (2, _types),
    "smcdel": (10, _smcdel),
    "options": (10, _options),
    "prompts": (6, _prompt),
    "editions": (5, _edition),
    "studies": (4, _study),
    "pictures": (5, _picture),
    "persons": (5, _person),
    "shipped": (1, _untouched),
    "broken": (12, _broken),
}
KINDS = tuple(_MAKERS)


def make(seed: int, number: int) -> Input:
    """Return the input with this number, which is the same on every machine."""
    chance = Random(f"{seed}/{number}/fuzz")
    weights = [weight for weight, _ in _MAKERS.values()]
    kind = chance.choices(KINDS, weights)[0]
    seconds = chance.choice(SECONDS) if number % ALONE else _SECONDS_ALONE
    made = _MAKERS[kind][1](chance, seconds)
    return replace(made, kind=kind, fresh=made.fresh or number % ALONE == 0)
