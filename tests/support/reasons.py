"""Questions whose reasons are checked line by line: all games, the puzzles, and problem files."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from symkripke.cli import group
from tests.support.golden import log_file

# A log, a turn, and the question at this turn.
GAMES: tuple[tuple[str, int, str], ...] = (
    ("cluedo-classic-6", 10, "Kw[plum] at(rope, envelope)"),
    ("cluedo-classic-6", 12, "knows_solution(green)"),
    ("cluedo-classic-6", 12, "Kv[plum] location(rope)"),
    ("cluedo-classic-6", 12, "K[plum] ~knows_solution(green)"),
    ("cluedo-classic-6", 12, "D[plum, green] at(rope, envelope)"),
    ("cluedo-classic-6", 8, "[!~knows_solution(green)] K[plum] ~holds(green, rope)"),
    ("cluedo-classic-6", 12, "B[plum] at(rope, envelope)"),
    ("cluedo-classic-6", 12, "K[plum] K[green] ~holds(white, hall)"),
    ("cluedo-classic-6", 8, "K[plum] atleast(1; holds(plum, rope), holds(plum, lead_pipe))"),
    ("cluedo-classic-6", 8, "at(rope, envelope) -> K[plum] at(rope, envelope)"),
    ("kwartet-classic-4", 6, "K[ann] holds(bob, proud_rooster)"),
    ("kwartet-classic-4", 6, "K[cath] ~knows_place(ann, fat_cow)"),
    ("kwartet-classic-4", 2, "K[ann] holds_group(bob, super_heroes)"),
    ("kwartet-study", 6, "K[ann] C[*] holds(bob, proud_rooster)"),
    ("old-maid-classic-3", 3, "M[cath] K[ann] holds(bob, queen)"),
    ("old-maid-classic-3", 4, "K[bob] ~K[ann] holds(bob, queen)"),
    ("sleuth-classic-3", 5, "K[ann] RDS"),
    ("sleuth-classic-3", 5, "M[bob] K[ann] RDS"),
    ("sleuth-classic-3", 8, "Kv[ann] hidden_gem"),
    ("perudo-classic-6", 3, "K[ann] eT(4, 6)"),
    ("perudo-classic-6", 3, "B[bob] has(ann, 2, 6)"),
    ("perudo-classic-6", 4, "K[ann] met(5, 4)"),
)

PUZZLES = (
    "muddy_children",
    "three_hats",
    "gossip",
    "prisoners",
    "russian_cards",
    "drinking_logicians",
    "dining_cryptographers",
    "consecutive_numbers",
)

# Binary numbers, definitions, observed sums, private announcements and changes.
PROBLEMS = {
    "numbers": """
agents sam, polly
fluent x, y in 2..25
law "x before y": x < y
law x + y <= 26
sam sees x + y
polly sees x * y
actual x = 4, y = 13
define big = x > 3 & y > 3
true? K[sam] x + y = 17
true? Kv[sam] x
true? Kv[polly] (x, y)
true? K[polly] x * y = 52
true? K[sam] ~Kv[polly] (x, y)
true? K[sam] Kv[polly] x
true? M[sam] K[polly] x = 4
true? B[polly] x = 4
true? P[sam](x = 4) >= 1/8
valid? C[*] x < 25
tell sam: big
true? K[sam] big
change x := x + 1
true? K[polly] x = 5
""",
    "news": """
agents ann, bob
fluent coin in {heads, tails}
fluent p, q
ann sees coin
law p | q
actual coin = heads, p
define lucky = coin = heads & p
tell bob: coin = heads
true? K[bob] coin = heads
true? K[ann] K[bob] coin = heads
true? M[ann] K[bob] coin = heads
true? K[ann] ~K[bob] p
true? Kw[bob] lucky
change p := ~p
true? K[bob] p
true? [!q] K[bob] q
""",
    "smcdel": """
VARS 11,12,13,21,22,23
LAW AND (ONEOF (11,12,13), ONEOF (21,22,23), ~(11&21), ~(12&22), ~(13&23))
OBS a: 11,12,13
    b: 21,22,23
VALID? (a, b) distknow whether 13
VALID? [b ! ~13] (a knows that b knows that ~13)
TRUE? {11,22} [! ~13] b knows that 11
""",
}


def reason(log: str, turn: int, formula: str) -> str:
    """Return the output of `symkripke ask --why`."""
    return _printed("ask", str(log_file(log)), formula, "--at", str(turn), "--why")


def puzzle(name: str) -> str:
    """Return the output of `symkripke puzzle --why`."""
    return _printed("puzzle", name, "--why")


def problem(name: str, folder: Path) -> str:
    """Return the output of `symkripke check --why`."""
    file = folder / f"{name}.txt"
    file.write_text(PROBLEMS[name].lstrip(), encoding="utf-8")
    return _printed("check", str(file), "--why")


def _printed(*words: str) -> str:
    result = CliRunner().invoke(group, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout
