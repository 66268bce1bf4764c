"""Names of fluents: parts, written forms, and texts that are not terms."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symkripke.language import Atom, Kv, Name, parse

WORDS = st.from_regex(r"[^\W\d]\w{0,4}", fullmatch=True)
NAMES = st.builds(
    Name,
    WORDS,
    st.lists(WORDS | st.integers(0, 99).map(str), max_size=3),
    st.none() | st.integers(0, 12),
)


@given(NAMES, st.integers(0, 30))
def test_a_name_is_its_text_and_knows_its_parts(name: Name, number: int) -> None:
    assert type(str(name)) is str
    texts: dict[str, int] = {name: 1}
    assert texts[str(name)] == {str(name): 1}[name] == 1
    for same in (Name.of(str(name)), copy.deepcopy(name), pickle.loads(pickle.dumps(name))):
        assert type(same) is Name
        assert (same, same.functor) == (name, name.functor)
        assert (same.arguments, same.version) == (name.arguments, name.version)
    version = name.at(number)
    assert version == Name(name.functor, name.arguments, number)
    assert (version.version, version.plain, version.is_version) == (number, name.plain, True)
    assert not name.plain.is_version
    assert name.plain.plain is name.plain


@given(st.text(max_size=12))
def test_any_text_is_a_name(text: str) -> None:
    name = Name.of(text)
    assert name == text
    assert Name(name.functor, name.arguments, name.version) == text


@pytest.mark.parametrize("text", ["", "#", "p#", "#3", "p#03", "p#x", "p(", "p)", "p(a,b)#1#2"])
def test_texts_that_are_not_terms_are_kept(text: str) -> None:
    assert Name.of(text) == text


def test_formulas_know_the_parts_of_their_names() -> None:
    read = parse("at(rope, hall)#2 = green")
    assert isinstance(read, Atom)
    for atom in (read, Atom("at(rope, hall)#2", "green")):
        assert atom is read
        assert atom.fluent.functor == "at"
        assert atom.fluent.arguments == ("rope", "hall")
        assert atom.fluent.version == 2
    known = Kv("ann", ("p#1", "q(x)"))
    assert [name.plain for name in known.fluents] == ["p", "q(x)"]
    assert all(type(word) is str for word in (*read.fluent.arguments, read.fluent.functor))
