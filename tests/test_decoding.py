"""Decoding: any invalid JSON or TOML gives one kind of error, and one module decodes everything."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from symkripke.decoding import CutOff, from_json, from_toml
from symkripke.errors import LogError

ROOT = Path(__file__).parent.parent


class Line(msgspec.Struct):
    name: str = ""
    rest: msgspec.Raw = msgspec.Raw()


@pytest.mark.parametrize("kind", [dict[str, Any], Line, object])
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"rest":' * 100_000,
        '{"name":"\udcff"}',
        b'{"name":"\xff"}',
        b"\xff",
        '{"name":1e999}',
        f'{{"name":{"9" * 5_000}}}',
        '{"name":NaN}',
        '{"name":"a","name":"b"}',
        "",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_wrong_json(text: str | bytes, kind: Any) -> None:
    with pytest.raises(LogError, match=r"^here: "):
        from_json(text, kind, "here", unique=True)


@pytest.mark.parametrize("kind", [dict[str, Any], object])
def test_json_that_is_nested_too_deeply(kind: Any) -> None:
    with pytest.raises(LogError, match=r"^here: this is nested too deeply$"):
        from_json('{"rest":' + "[" * 950 + "]" * 950 + "}", kind, "here")


def test_a_text_that_ends_too_early() -> None:
    whole = '{"name":"a","rest":{"b":[1,2,{"c":"d"}]}}'
    for end in range(len(whole)):
        with pytest.raises(CutOff):
            from_json(whole[:end], Line, "here")
    assert from_json(whole, Line, "here", unique=True).name == "a"


@pytest.mark.parametrize(
    "text",
    [
        f"a{'.a' * 20_000} = 1",
        f"[a{'.a' * 20_000}]",
        f"{'a.' * 20_000}",
        f"a = {'[' * 3_000}",
        f"a = {'{a = ' * 3_000}",
        f"a = {'9' * 5_000}",
        f"a = 0x{'f' * 5_000}",
        "a = 2020-99-99",
    ],
    ids=lambda text: repr(text[:8]),
)
def test_wrong_toml(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_toml(text)


def test_one_module_decodes() -> None:
    decodes = re.compile(r"\b(json\.loads?|tomllib|json\.(decode|Decoder)|literal_eval)\b")
    found = {
        str(file.relative_to(ROOT))
        for folder in ("symkripke", "encodings")
        for file in (ROOT / folder).rglob("*.py")
        if decodes.search(file.read_text(encoding="utf-8"))
    }
    assert found == {"symkripke/decoding.py"}
