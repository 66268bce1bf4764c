"""The README's sessions print what it says they print."""

from __future__ import annotations

import doctest

from tests.support.readme import README, examples, rewritten


def test_console_examples() -> None:
    """If a change is meant, `python -m tests.support.readme` writes the output anew."""
    text = README.read_text(encoding="utf-8")
    assert len(list(examples(text))) >= 4
    assert rewritten(text) == text


def test_python_examples() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert tried >= 15
    assert failed == 0
