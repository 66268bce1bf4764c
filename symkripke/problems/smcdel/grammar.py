"""Error messages for a text that SMCDEL's grammar, `smcdel.lark`, does not allow.

Only the grammar is used to find what was expected where; `syntax` reads the texts that it allows.
"""

from __future__ import annotations

import functools

from lark import Lark, UnexpectedInput

from symkripke.language import grammars
from symkripke.language.syntax_errors import Group, SyntaxFault, Wording, at_sign, syntax_fault

_FORMULA = Group(
    frozenset({"NOT", "TOP"}),
    "a formula",
    frozenset({"INT", "TOP", "BOT", "NOT", "LPAR", "LSQB", "LESSTHAN", "NAME", "K", "KW"})
    | {"FORALL", "EXISTS", "AND", "OR", "XOR", "ONEOF"},
)
_WORDING = Wording(
    words={
        "NAME": "an agent",
        "INT": "a number",
        "$END": "the end",
        "AND_SIGN": "'&'",
        "OR_SIGN": "'|'",
        "ARROW": "'->'",
        "IFF": "'iff'",
        "KNOWS_THAT": "'knows that'",
        "KNOWS_WHETHER": "'knows whether'",
        "TOGETHER": "'comknow that', 'distknow that'",
        "WHETHER": "'?'",
        "VALID": "'VALID?'",
        "WHERE": "'WHERE?'",
        "TRUE": "'TRUE?'",
        "UPDATE": "'UPDATE!'",
    },
    end="the end of the file",
    groups=(_FORMULA,),
    comment="--",
)


@functools.cache
def parser() -> Lark:
    """The parser of the grammar. Its trees leave out optional parts that are missing."""
    # The basic lexer: as in SMCDEL, a keyword is a keyword wherever it stands.
    return grammars.parser(
        "smcdel",
        ("symkripke.problems.smcdel", "smcdel.lark"),
        start=["start", "form"],
        lexer="basic",
        maybe_placeholders=True,
    )


def fault(text: str, start: str) -> SyntaxFault:
    """What is wrong with a text that is no `start` ("start" is a file, "form" a formula)."""
    try:
        parser().parse(text, start=start)
    except UnexpectedInput as error:
        found = syntax_fault(text, error, parser(), _WORDING)
        if not at_sign(error):
            return found
        sign = text[error.pos_in_stream or 0]
        return found._replace(problem=f"SMCDEL's format has no sign {sign!r}")
    raise AssertionError("the grammar allows what was not read")
