"""The oracle of what goes unnoticed: stories that are worked out by hand."""

from __future__ import annotations

import pytest

from symkripke.language import TRUE, Formula, parse
from tests.support.product_update import NOTHING, SKIP, WHICH, Act, Happens, Listed

HEADS, TAILS = {"heads": "true"}, {"heads": "false"}
START = Listed.of(("ann", "bob"), [HEADS, TAILS])
BOTH = {agent: [(TRUE, WHICH)] for agent in ("ann", "bob")}


def peek(how_bob: str | dict[str, str], rank: int | None = None) -> Act:
    """Ann peeks at the coin in the box."""
    return Act(
        [Happens("heads", parse("heads")), Happens("tails", parse("~heads"))],
        {"ann": [(TRUE, WHICH)], "bob": [(TRUE, how_bob)]},
        rank,
    )


def turn(seen_by_bob: Formula) -> Act:
    """Ann turns the coin; Bob sees that where this is so."""
    cases = [("true", parse("~heads")), ("false", TRUE)]
    return Act(
        [Happens("turn", makes={"heads": cases})],
        {"ann": [(TRUE, WHICH)], "bob": [(seen_by_bob, WHICH)]},
    )


def at(model: Listed, *happened: str) -> list[int]:
    return model.actual([HEADS], *happened)


LETTER = Act(
    [Happens("read", parse("said -> heads"))],
    {"ann": [(TRUE, WHICH)], "bob": [(TRUE, {"read": "reads"})]},
    fluents={"said": ("false", "true")},
    shows={"ann": [("said", "true")]},
    prefers=[(parse("said"), {"bob": 1})],
)
LAMP = Listed.of(("ann", "bob"), [HEADS], {"bob": [("heads", "true")]})
SECRET = START.update(peek(NOTHING))
AFTER = {
    "openly": (START.update(peek({"heads": "looked", "tails": "looked"})), ["heads"]),
    "in secret": (SECRET, ["heads"]),
    "turned openly": (LAMP.update(turn(TRUE)).update(turn(TRUE)), ["turn", "turn"]),
    "turned in secret": (LAMP.update(turn(parse("~heads"))), ["turn"]),
    "a rumour": (START.believe(parse("~heads"), {"bob": 1}), ["believed"]),
    "shown": (START.show(["ann"], [("heads", "true")]), ["shown"]),
}


@pytest.mark.parametrize(
    ("after", "true", "false"),
    [
        ("openly", "K[ann] heads & K[bob] Kw[ann] heads", "Kw[bob] heads"),
        ("in secret", "K[ann] heads & B[bob] ~Kw[ann] heads", "K[bob] ~Kw[ann] heads"),
        ("in secret", "K[ann] B[bob] ~Kw[ann] heads", "B[bob] heads"),
        ("in secret", "P[bob](heads) = 1/2 & P[ann](heads) = 1", "P[bob](Kw[ann] heads) > 0"),
        ("in secret", "P[bob | Kw[ann] heads](heads) = 1/2", "CB[ann, bob] ~Kw[ann] heads"),
        ("turned openly", "heads & K[bob] (heads#0 & ~heads#1 & heads#2)", "K[bob] heads#1"),
        ("turned in secret", "~heads & B[bob] heads & K[bob] heads#0", "K[bob] heads"),
        ("turned in secret", "K[ann] B[bob] B[ann] heads", "B[bob] B[ann] ~heads"),
        ("a rumour", "B[bob] ~heads & B[bob | heads] heads", "B[ann] ~heads"),
        ("shown", "K[ann] heads & C[ann, bob] Kw[ann] heads", "Kw[bob] heads"),
        ("shown", "[!K[ann] heads] K[bob] heads & [!~heads] false", "<!~heads> true"),
    ],
)
def test_what_is_so_after_an_action(after: str, true: str, false: str) -> None:
    model, happened = AFTER[after]
    assert model.holds(parse(true), at(model, *happened))
    assert not model.holds(parse(false), at(model, *happened))


def test_worlds_and_their_order() -> None:
    assert [point.past for point in SECRET.points] == [
        (event,) for event in ("heads", SKIP, "tails", SKIP)
    ]
    assert SECRET.cells("bob") == [[0, 1, 2, 3]]
    assert SECRET.cells("ann") == [[0], [1, 3], [2]]
    assert SECRET.plausible("bob", range(4)) == [1, 3]
    assert SECRET.probability("ann", parse("heads"), 0, parse("~heads")) is None
    # Of a letter: said or not, read or not; where it shows tails, nothing can have been said.
    assert len(START.update(LETTER).points) == 3
    assert len(Listed.of(("ann", "bob", "carl"), [HEADS, TAILS]).update(LETTER).points) == 4 + 3


@pytest.mark.parametrize(
    ("first", "second", "blamed"),
    [
        (None, None, ("heads", SKIP)),
        (2, 2, ("heads", SKIP)),
        (2, 1, (SKIP, "heads")),
        (1, None, ("heads", SKIP)),
    ],
)
def test_the_newest_of_a_rank_counts_first(
    first: int | None, second: int | None, blamed: tuple[str, str]
) -> None:
    """Bob finds that somebody peeked: he blames the older, or the one of the lower rank."""
    model = START.update(peek(NOTHING, first)).update(peek(NOTHING, second))
    somebody = [n for n, point in enumerate(model.points) if {*point.past} != {SKIP}]
    found = {model.points[number].past for number in model.plausible("bob", somebody)}
    assert blamed in found
    assert all(one == blamed or "tails" in one for one in found)
