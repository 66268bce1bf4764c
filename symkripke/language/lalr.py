"""Reading texts by the tables of a grammar, without the library that made the tables.

Lark makes the tables of an LALR parser from a grammar file, and explains what is wrong with a text.
To import it takes as long as to answer a small problem. So right texts are read here: to the same
trees, with the same rule for which terminal comes next (only those that the state of the parser
allows, in Lark's order). The tables of states are decoded when they are reached.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from lark import Lark


class NotRead(Exception):
    """The grammar does not allow the text: Lark says what was expected where."""


class Token(str):
    """A word of a text, with its terminal and its place. Lines and columns count from 1."""

    __slots__ = ("column", "end_pos", "line", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int
    line: int
    column: int


class Tree:
    """What a rule of the grammar has read.

    Attributes:
        data: the name of the rule, or of its alternative.
        children: the trees and words that it keeps.
        first: its first word, kept or not; None if it has none.
        last: its last word.
        opening: the first word with the brackets around the tree.
        closing: the last word with the brackets around the tree.
    """

    __slots__ = ("children", "closing", "data", "first", "last", "opening")

    def __init__(self, data: str, children: list[Any]) -> None:
        """A tree without a place."""
        self.data = data
        self.children = children
        self.first: Token | None = None
        self.last: Token | None = None
        self.opening: Token | None = None
        self.closing: Token | None = None

    @property
    def line(self) -> int:
        """The line of its first word; 1 if it has none."""
        return 1 if self.first is None else self.first.line

    @property
    def column(self) -> int:
        """The column of its first word; 1 if it has none."""
        return 1 if self.first is None else self.first.column

    @property
    def start_pos(self) -> int:
        """The place of its first sign in the text."""
        assert self.first is not None
        return self.first.start_pos

    @property
    def end_pos(self) -> int:
        """The place after its last sign."""
        assert self.last is not None
        return self.last.end_pos

    def subtrees(self) -> list[Tree]:
        """All trees in this one, and itself: those further down come first."""
        found = [self]
        for tree in found:
            found += [child for child in reversed(tree.children) if isinstance(child, Tree)]
        return found[::-1]

    def words(self) -> Iterator[Token]:
        """All words that this tree and those in it keep, as they stand in the text."""
        left = list(reversed(self.children))
        while left:
            child = left.pop()
            if isinstance(child, Tree):
                left.extend(reversed(child.children))
            elif child is not None:
                yield child


class Rule(NamedTuple):
    """What to make of the children of a rule.

    Attributes:
        name: the name of the tree.
        symbol: the symbol that the rule stands for.
        size: how many children there are.
        alone: whether a single child stands for the tree.
        kept: the children that are kept, each with whether its own children replace it; None: all.
    """

    name: str
    symbol: str
    size: int
    alone: bool
    kept: list[tuple[int, bool]] | None

    def applied(self, children: list[Any]) -> Any:
        """The tree of these children, or its single child."""
        if self.kept is None:
            inside = children
        else:
            inside = []
            for place, spread in self.kept:
                if spread:
                    inside += children[place].children
                else:
                    inside.append(children[place])
        made = inside[0] if self.alone and len(inside) == 1 else Tree(self.name, inside)
        if isinstance(made, Tree):
            _set_place(made, children)
        return made


def _set_place(made: Tree, children: Sequence[Any]) -> None:
    """The place of a tree: all children count, also brackets, which are not kept.

    A tree in brackets is without them: they are around it, and count for the next tree.
    """
    for child in children:
        opening = child.opening if isinstance(child, Tree) else child
        if opening is not None:
            made.opening = opening
            made.first = made.first or opening
            break
    for child in reversed(children):
        closing = child.closing if isinstance(child, Tree) else child
        if closing is not None:
            made.closing = closing
            made.last = made.last or closing
            break


class _Terminal:
    """A terminal of the grammar: a sign or word as it is written, or a pattern."""

    __slots__ = ("_match", "ignored", "is_pattern", "name", "regexp", "value")

    def __init__(self, name: str, value: str, is_pattern: bool, ignored: bool) -> None:
        self.name = name
        self.value = value
        self.is_pattern = is_pattern
        self.ignored = ignored
        self._match: Callable[[str, int], re.Match[str] | None] | None = None

    def end(self, text: str, start: int) -> int:
        """Where it ends if it stands here; -1 if it does not."""
        if not self.is_pattern:
            return start + len(self.value) if text.startswith(self.value, start) else -1
        if self._match is None:
            self._match = re.compile(self.value).match
        found = self._match(text, start)
        return -1 if found is None else found.end()


class _Scanner:
    """The terminals that may come next, in order; keywords are told from names by their text."""

    __slots__ = ("_at", "_terminals", "keywords")

    def __init__(self, terminals: Sequence[_Terminal], keywords: dict[str, dict[str, str]]) -> None:
        self._terminals = terminals
        self.keywords = keywords
        self._at: dict[str, list[_Terminal]] = {}

    def at(self, sign: str) -> list[_Terminal]:
        """Those that may begin with this sign."""
        found = self._at.get(sign)
        if found is None:
            found = self._at[sign] = [
                terminal
                for terminal in self._terminals
                if terminal.is_pattern or terminal.value[0] == sign
            ]
        return found


PostLexer: TypeAlias = "Callable[[Iterator[Token]], Iterator[Token]]"


class Reader:
    """Reads texts by tables that `exported` has made."""

    def __init__(self, tables: dict[str, Any], post_lexer: PostLexer) -> None:
        """With a function that sees all words on their way to the parser."""
        self._post_lexer = post_lexer
        self._symbols: list[str] = tables["symbols"]
        self._written: list[str] = tables["states"]
        self._rows: dict[int, dict[str, int]] = {}
        self._scanner_of: list[int] = tables["scanner_of"]
        self._kept_scanners: list[list[Any]] = tables["scanners"]
        self._scanners: dict[int, _Scanner] = {}
        self._terminals = [_Terminal(*terminal) for terminal in tables["terminals"]]
        self._kept_rules: list[list[Any]] = tables["rules"]
        self._rules: dict[int, Rule] = {}
        self._start: int = tables["start"]
        self._end: int = tables["end"]

    def read(self, text: str) -> Tree:
        """The tree of a text; raises `NotRead`."""
        states, values = [self._start], list[Any]()
        for token in self._post_lexer(self._tokens(text, states)):
            self._take(token.type, token, states, values)
        found = self._take("$END", None, states, values)
        assert isinstance(found, Tree)
        return found

    def _take(self, kind: str, token: Token | None, states: list[int], values: list[Any]) -> Any:
        """Go on with the next word; the tree of the whole text at its end."""
        while True:
            action = self._row(states[-1]).get(kind)
            if action is None:
                raise NotRead
            if action >= 0:
                states.append(action)
                values.append(token)
                return None
            rule = self._rule(-1 - action)
            children: list[Any] = []
            if rule.size:
                children = values[-rule.size :]
                del states[-rule.size :], values[-rule.size :]
            values.append(rule.applied(children))
            states.append(self._row(states[-1])[rule.symbol])
            if token is None and states[-1] == self._end:
                return values[-1]

    def _tokens(self, text: str, states: list[int]) -> Iterator[Token]:
        """The words of a text, each one of those that the state of the parser allows."""
        place, line, line_start = 0, 1, 0
        while place < len(text):
            scanner = self._scanner(self._scanner_of[states[-1]])
            for terminal in scanner.at(text[place]):
                end = terminal.end(text, place)
                if end > place:
                    break
            else:
                raise NotRead
            if not terminal.ignored:
                token = Token(text[place:end])
                token.type = terminal.name
                if terminal.name in scanner.keywords:
                    token.type = scanner.keywords[terminal.name].get(token, terminal.name)
                token.start_pos, token.end_pos = place, end
                token.line, token.column = line, place - line_start + 1
            newlines = text.count("\n", place, end)
            if newlines:
                line += newlines
                line_start = text.rindex("\n", place, end) + 1
            place = end
            if not terminal.ignored:
                yield token

    def _row(self, state: int) -> dict[str, int]:
        row = self._rows.get(state)
        if row is None:
            numbers = list(map(int, self._written[state].split()))
            symbols = map(self._symbols.__getitem__, numbers[::2])
            row = dict(zip(symbols, numbers[1::2], strict=True))
            self._rows[state] = row
        return row

    def _rule(self, number: int) -> Rule:
        rule = self._rules.get(number)
        if rule is None:
            rule = self._rules[number] = Rule(*self._kept_rules[number])
        return rule

    def _scanner(self, number: int) -> _Scanner:
        scanner = self._scanners.get(number)
        if scanner is None:
            terminals, keywords = self._kept_scanners[number]
            scanner = _Scanner([self._terminals[terminal] for terminal in terminals], keywords)
            self._scanners[number] = scanner
        return scanner


# ---- making the tables ----------------------------------------------------------------------


def exported(made: Lark, always: Sequence[str]) -> dict[str, Any]:
    """The tables of a parser with a contextual lexer and one start, as plain data.

    Args:
        made: the parser; its trees leave out optional parts that are missing, without placeholders.
        always: the terminals that every state allows, for what stands behind the lexer.
    """
    from lark.grammar import Rule as LarkRule
    from lark.lexer import PatternRE, TerminalDef

    data, shared = made.memo_serialize([TerminalDef, LarkRule])
    table = data["parser"]["parser"]
    symbols = table["tokens"]
    numbers = {state: number for number, state in enumerate(table["states"])}
    rules = {key: number for number, key in enumerate(_keys_of_rules(table, shared))}
    states, scanners, scanner_of = [], dict[tuple[str, ...], int](), []
    ignored = set(made.lexer_conf.ignore)
    terminals = sorted(made.terminals, key=_order)
    places = {terminal.name: place for place, terminal in enumerate(terminals)}
    for row in table["states"].values():
        actions: list[int] = []
        for symbol, (action, argument) in row.items():
            actions.append(int(symbol))
            actions.append(-1 - rules[argument["@"]] if action else numbers[argument])
        states.append(" ".join(map(str, actions)))
        allowed = {symbols[symbol] for symbol in row} | ignored | set(always)
        key = tuple(terminal.name for terminal in terminals if terminal.name in allowed)
        scanner_of.append(scanners.setdefault(key, len(scanners)))
    (start,) = table["start_states"].values()
    (end,) = table["end_states"].values()
    plain: dict[str, Any] = json.loads(  # as it is when it comes from the cache
        json.dumps(
            {
                "symbols": [symbols[number] for number in range(len(symbols))],
                "states": states,
                "scanner_of": scanner_of,
                "scanners": [
                    _scanner([terminals[places[name]] for name in key], places) for key in scanners
                ],
                "terminals": [
                    (
                        terminal.name,
                        terminal.pattern.to_regexp()
                        if isinstance(terminal.pattern, PatternRE)
                        else terminal.pattern.value,
                        isinstance(terminal.pattern, PatternRE),
                        terminal.name in ignored,
                    )
                    for terminal in terminals
                ],
                "rules": [_rule(shared[key]) for key in rules],
                "start": numbers[start],
                "end": numbers[end],
            }
        )
    )
    return plain


def _keys_of_rules(table: dict[str, Any], shared: dict[int, Any]) -> list[int]:
    """The keys, in what Lark shares, of the rules that occur in the table."""
    return sorted(
        {
            argument["@"]
            for row in table["states"].values()
            for action, argument in row.values()
            if action
        }
    )


def _order(terminal: Any) -> tuple[int, int, int, str]:
    """Lark tries terminals in this order."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


def _scanner(terminals: Sequence[Any], places: dict[str, int]) -> tuple[list[int], dict[str, Any]]:
    """The terminals, without keywords that look like names; and these, by the patterns they fit."""
    from lark.lexer import PatternRE

    keywords: dict[str, dict[str, str]] = {}
    embedded = set()
    for pattern in terminals:
        if not isinstance(pattern.pattern, PatternRE):
            continue
        for word in terminals:
            if isinstance(word.pattern, PatternRE) or word.priority != pattern.priority:
                continue
            value = word.pattern.value
            found = re.match(pattern.pattern.to_regexp(), value)
            if found is not None and found[0] == value:
                keywords.setdefault(pattern.name, {})[value] = word.name
                embedded.add(word.name)
    return [places[one.name] for one in terminals if one.name not in embedded], keywords


def _rule(rule: dict[str, Any]) -> Rule:
    """A rule, from what Lark keeps of it."""
    options, symbols = rule["options"], rule["expansion"]
    kept = []
    for place, symbol in enumerate(symbols):
        is_terminal = symbol["__type__"] == "Terminal"
        if options["keep_all_tokens"] or not (is_terminal and symbol["filter_out"]):
            kept.append((place, not is_terminal and symbol["name"].startswith("_")))
    alias = rule["alias"]
    symbol_name = str(rule["origin"]["name"])
    plain = len(kept) == len(symbols) and not any(spread for _, spread in kept)
    return Rule(
        alias or options["template_source"] or symbol_name,
        symbol_name,
        len(symbols),
        bool(options["expand1"] and not alias),
        None if plain else kept,
    )
