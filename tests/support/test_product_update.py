"""The oracle itself, against two stories that are worked out by hand."""

from __future__ import annotations

from fractions import Fraction

from symkripke.language import TRUE, Formula, parse
from symkripke.language import formulas as f
from tests.support.product_update import NOTHING, SKIP, WHICH, Act, Happens, Listed, Values

IN, AWAY = f.Atom("in(sally)"), ~f.Atom("in(sally)")


def rank_of(model: Listed, values: Values, *happened: str) -> int:
    (number,) = model.actual([values], *happened)
    return number


def true_at(model: Listed, number: int, *formulas: str) -> list[bool]:
    return [model.holds(parse(formula), [number]) for formula in formulas]


def move(to: str, seen_by_sally: Formula) -> Act:
    """Anne moves the marble; Sally sees it if she is in the room."""
    return Act(
        [Happens("move", makes={"marble": [(to, TRUE)]})],
        {"anne": [(TRUE, WHICH)], "sally": [(seen_by_sally, WHICH)]},
    )


def room() -> Listed:
    """The marble is in the basket, which both know. Sally is in, and then goes out."""
    start = {"marble": "basket", "in(sally)": "true"}
    model = Listed.of(("sally", "anne"), [start])
    both = {"sally": [(TRUE, WHICH)], "anne": [(TRUE, WHICH)]}
    return model.update(Act([Happens("leave", makes={"in(sally)": [("false", TRUE)]})], both))


def test_an_action_that_all_notice_has_no_world_without_it() -> None:
    model = room()
    assert [point.past for point in model.points] == [("leave",)]
    assert model.points[0].values["in(sally)"] == "false"
    assert model.points[0].values["in(sally)#0"] == "true"


def test_sally_and_anne_first_and_second_order() -> None:
    model = room().update(move("box", IN))
    # Two worlds: it was moved, or not; Sally cannot tell them apart and finds the second likelier.
    assert [point.past for point in model.points] == [("leave", "move"), ("leave", SKIP)]
    assert [point.values["marble"] for point in model.points] == ["box", "basket"]
    assert model.cells("sally") == [[0, 1]]
    assert model.cells("anne") == [[0], [1]]
    assert model.plausible("sally", [0, 1]) == [1]
    asked = (
        "B[sally] marble = basket",
        "K[sally] marble = basket",
        "K[anne] B[sally] marble = basket",
        "B[sally] B[anne] marble = basket",
        "K[anne] B[sally] B[anne] marble = basket",
        "B[sally] K[anne] marble = basket",
        "CB[*] marble = basket",
    )
    formulas = [parse(text.replace("*", "sally, anne")) for text in asked]
    assert [model.holds(formula, [0]) for formula in formulas] == [
        True,
        False,
        True,
        True,
        True,
        True,
        False,  # Anne knows better
    ]


def test_sally_looks_in_secret() -> None:
    # Anne believes that Sally did not see, and Sally knows that she believes it.
    away = room().update(move("box", IN))
    look = Act(
        [
            Happens("sees box", parse("marble = box")),
            Happens("sees basket", parse("marble = basket")),
        ],
        {"sally": [(TRUE, WHICH)]},
    )
    model = away.update(look)
    (number,) = model.actual(
        [{"marble": "basket", "in(sally)": "true"}], "leave", "move", "sees box"
    )
    assert true_at(
        model,
        number,
        "K[sally] marble = box",
        "B[anne] B[sally] marble = basket",
        "K[sally] B[anne] B[sally] marble = basket",
        "M[anne] K[sally] marble = box",
    ) == [True, True, True, True]


HEADS, TAILS = {"heads": "true"}, {"heads": "false"}


def peek(how_bob: str | dict[str, str], rank: int | None = None) -> Act:
    """Ann peeks at the coin in the box."""
    return Act(
        [Happens("heads", parse("heads")), Happens("tails", parse("~heads"))],
        {"ann": [(TRUE, WHICH)], "bob": [(TRUE, how_bob)]},
        rank,
    )


def test_coin_in_the_box_peeking_openly_and_in_secret() -> None:
    start = Listed.of(("ann", "bob"), [HEADS, TAILS])
    openly = start.update(peek({"heads": "looked", "tails": "looked"}))
    assert len(openly.points) == 2
    assert true_at(openly, 0, "K[ann] heads", "K[bob] Kw[ann] heads", "Kw[bob] heads") == [
        True,
        True,
        False,
    ]
    secretly = start.update(peek(NOTHING))
    assert len(secretly.points) == 4
    (number,) = secretly.actual([HEADS], "heads")
    assert true_at(
        secretly,
        number,
        "K[ann] heads",
        "B[bob] ~Kw[ann] heads",
        "K[bob] ~Kw[ann] heads",
        "K[ann] B[bob] ~Kw[ann] heads",
        "B[bob] heads",
        "P[bob](heads) = 1/2",
        "P[bob](Kw[ann] heads) = 0",
        "P[bob | Kw[ann] heads](heads) = 1/2",
        "P[ann](heads) = 1",
    ) == [True, True, False, True, False, True, True, True, True]
    assert secretly.probability("ann", parse("heads"), number) == Fraction(1)
    assert secretly.probability("ann", parse("heads"), number, parse("~heads")) is None


def test_the_newest_action_of_a_rank_counts_first_and_a_higher_rank_before_all() -> None:
    # Bob finds that somebody peeked at least once: he blames the older of two that are alike,
    # and of two with ranks the one with the lower rank.
    start = Listed.of(("ann", "bob"), [HEADS])

    def blamed(first: int | None, second: int | None) -> set[tuple[str, ...]]:
        model = start.update(peek(NOTHING, first)).update(peek(NOTHING, second))
        somebody = [n for n, point in enumerate(model.points) if set(point.past) != {SKIP}]
        return {model.points[number].past for number in model.plausible("bob", somebody)}

    assert blamed(None, None) == {("heads", SKIP)}
    assert blamed(2, 2) == {("heads", SKIP)}
    assert blamed(2, 1) == {(SKIP, "heads")}
    assert blamed(1, None) == {("heads", SKIP)}


def test_observation_passes_on_only_to_who_notices() -> None:
    # Bob watches a lamp; Ann turns it, while he looks or not.
    lamp = {"lit": "true", "looks": "true"}, {"lit": "true", "looks": "false"}
    sees = {"bob": [("lit", "true"), ("looks", "true")], "ann": [("looks", "true")]}
    model = Listed.of(("ann", "bob"), lamp, sees)
    turn = Act(
        [Happens("turn", makes={"lit": [("false", parse("lit")), ("true", parse("~lit"))]})],
        {"ann": [(TRUE, WHICH)], "bob": [(parse("looks"), WHICH)]},
    )
    after = model.update(turn)
    watched, missed = (after.actual([values], "turn")[0] for values in lamp)
    assert true_at(after, watched, "K[bob] ~lit", "K[bob] lit#0") == [True, True]
    assert true_at(after, missed, "B[bob] lit", "lit", "K[bob] lit#0") == [True, False, True]


def test_announcements_shows_and_beliefs() -> None:
    model = Listed.of(("ann", "bob"), [HEADS, TAILS])
    believing = model.believe(parse("heads"), {"bob": 1})
    assert true_at(believing, 1, "B[bob] heads", "B[ann] heads", "B[bob | ~heads] ~heads") == [
        True,
        False,
        True,
    ]
    shown = believing.show(["ann"], [("heads", "true")])
    asked = ("K[ann] ~heads", "B[bob] K[ann] heads", "C[ann, bob] Kw[ann] heads")
    assert true_at(shown, 1, *asked) == [True, True, True]
    asked = ("[!K[ann] ~heads] K[bob] ~heads", "<!heads> true", "[!heads] false")
    assert true_at(shown, 1, *asked) == [True, False, True]
    known = shown.announce(parse("~heads"))
    assert true_at(known, 0, "K[bob] ~heads", "Kv[bob] heads") == [True, True]


def test_own_fluents_are_seen_by_who_notices() -> None:
    # A letter says that it is heads, or it is blank. Ann reads it, and Bob sees that she does.
    start = Listed.of(("ann", "bob", "carl"), [HEADS, TAILS])
    read = Act(
        [Happens("read", parse("said -> heads"))],
        {"ann": [(TRUE, WHICH)], "bob": [(TRUE, {"read": "reads"})]},
        fluents={"said": ("false", "true")},
        shows={"ann": [("said", "true")]},
        prefers=[(parse("said"), {"bob": 1})],
    )
    model = start.update(read)
    # Heads: said or not, read or not; tails: nothing was said and read, or nothing was read.
    assert len(model.points) == 4 + 3
    (number,) = (
        place
        for place, point in enumerate(model.points)
        if point.past == ("read",) and point.values["said"] == "true"
    )
    assert true_at(
        model,
        number,
        "K[ann] heads",
        "K[bob] Kw[ann] heads",
        "B[bob] K[ann] heads",
        "B[carl] ~Kw[ann] heads",
        "K[ann] B[carl] ~Kw[ann] heads",
    ) == [True, False, True, True, True]
