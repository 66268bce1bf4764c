"""The screens that commands and dialogues print: sheets, odds, moves, knowledge of others."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from symkripke.cli.console import say, sentence
from symkripke.cli.display import bar, in_colour, marks, plain_table
from symkripke.cli.note_sheet import fitted, on_paper, paper_legend, put
from symkripke.engines import Mark
from symkripke.explain.text import percent
from symkripke.play.sentences import (
    Place,
    insight_in_sentences,
    odds_in_sentences,
    own_things_in_sentences,
    sheet_in_sentences,
    when,
)
from symkripke.play.views.sheet import FilledSheet

if TYPE_CHECKING:
    from symkripke.play import Moment
    from symkripke.play.knowledge_matrix import Insight
    from symkripke.play.views.advice import Advised
    from symkripke.play.views.odds import Probable

_BAR = 20


def _names(moment: Moment[Any, Any]) -> list[str]:
    return [moment.layout.person(name) for name in moment.setup.players]


def show_sheet(
    out: Console,
    filled: FilledSheet,
    *,
    paper: bool = False,
    plain: bool = False,
    title: bool = True,
) -> None:
    """Print a note sheet.

    Args:
        out: the console.
        filled: the sheet.
        paper: whether to use the form of the game's printed sheet, if it has one.
        plain: whether to print sentences.
        title: whether to print the title of a table.
    """
    moment = filled.moment
    layout, names = moment.layout, _names(moment)
    heading = f"What {layout.person(filled.player)} can know {when(moment)}"
    if filled.shares is not None:
        heading += f", and how probable the rest is, weighting {moment.weighting}"
    if plain:
        known = (filled.known, filled.believed, filled.sizes, filled.shares)
        sentence(out, f"{heading}:")
        for words in sheet_in_sentences(layout, *known):
            sentence(out, words)
        return
    if title:
        out.print(in_colour(f"{heading}:", names))
    if paper and layout.paper is not None:
        out.print(on_paper(layout, layout.paper, filled.known))
        out.print(paper_legend(layout, layout.paper))
    else:
        put(out, filled.sheet, names)


def show_odds(out: Console, shown: Probable, *, plain: bool) -> None:
    """Print the probabilities of cells, answers and moves for a player."""
    moment, odds, names = shown.moment, shown.odds, _names(shown.moment)
    layout = moment.layout
    title = f"Probabilities for {layout.person(odds.player)} {when(moment)}"
    out.print(in_colour(f"{title}, weighting {shown.moment.weighting}:", names))
    if plain:
        for words in odds_in_sentences(layout, odds.cells):
            sentence(out, words)
    else:
        put(out, FilledSheet.of_shares(moment, odds.player, odds.cells).sheet, names)
    out.print(f"\nDeals possible now: {odds.deals:,}")
    if odds.entropy is not None:
        _answers(out, shown, plain=plain)
    if shown.moves:
        _prospects(out, shown, plain=plain)


def _answers(out: Console, shown: Probable, *, plain: bool) -> None:
    """Print the most probable answers to the game's question."""
    from symkripke.play.game_words import answer_in_words

    moment, odds = shown.moment, shown.odds
    question = moment.game.question.capitalize()
    out.print(
        f"{question} possible now: {len(odds.answers):,}; remaining uncertainty: "
        f"{odds.entropy:.2f} bits"
    )
    most = float(odds.answers[0][1])
    for true, share in odds.answers[: shown.top]:
        line = Text(f"  {percent(share):>6} ")
        if not plain:
            line.append(f"{bar(float(share), most, _BAR):<{_BAR}}", style="yellow")
        line.append(f"  {answer_in_words(moment, odds.player, true)}")
        say(out, line)
    if rest := odds.answers[shown.top :]:
        together = sum((share for _, share in rest), Fraction(0))
        out.print(f"  {percent(together):>6}  the other {len(rest):,} together")


def _prospects(out: Console, shown: Probable, *, plain: bool) -> None:
    """Print the player's possible moves, with the probability that each succeeds."""
    who = shown.moment.layout.person(shown.odds.player)
    kinds = list(shown.moves[0].chances)
    heading = f"{who}'s moves" if shown.now else f"Moves if it were {who}'s turn"
    out.print()
    if plain:
        out.print(f"{heading}:")
        for move in shown.moves:
            chances = ", ".join(f"{percent(move.chances[kind])} by {kind}" for kind in kinds)
            say(out, Text(f"  {move.title}: {chances}"))
        return

    def table(width: int) -> Table:
        """Return the table with bars of this width."""
        drawn = plain_table(heading, *(f"by {kind}" for kind in kinds))
        for move in shown.moves:
            cells = []
            for kind in kinds:
                share = move.chances[kind]
                cell = Text(f"{bar(float(share), 1, width):<{width}}" if width else "")
                cell.stylize("green")
                # Only JSON has the exact fractions.
                cells.append(cell.append(f" {percent(share):>6}", style=""))
            drawn.add_row(move.title, *cells)
        return drawn

    wide = table(_BAR // 2)
    fits = not out.is_terminal or out.measure(wide).maximum <= out.width
    out.print(wide if fits else table(0))


def show_moves(out: Console, shown: Advised, *, plain: bool) -> None:
    """Print the recommended moves."""
    moment, names = shown.moment, _names(shown.moment)
    who = moment.layout.person(shown.player)
    if not shown.moves:
        out.print(in_colour(f"{who} has nothing to decide {when(moment)}.", names))
        return
    turn = "" if shown.now else f" if it were {who}'s turn"
    aims = {move.aim for move in shown.moves}
    by = f", ranked by the chance {aim}" if len(aims) == 1 and (aim := aims.pop()) else ""
    title = f"The best moves for {who} {when(moment)}{turn}, weighting {shown.weighting}{by}:"
    out.print(in_colour(title, names))
    most: dict[str, float] = {}
    for move in shown.moves:
        most[move.unit] = max(move.gain, most.get(move.unit, 0.0))
    for move in shown.moves:
        line = Text(f"  {move.gain:5.2f} {move.unit} ")
        if not plain:
            line.append(f"{bar(move.gain, most[move.unit], _BAR):<{_BAR}}", style="green")
        line.append(f"  {move.title}", style="bold")
        say(out, line)
        say(out, Text(f"      {move.reason}", style="dim"))


def show_own_things(
    out: Console,
    moment: Moment[Any, Any],
    known: Mapping[str, Mapping[Place, Mark]],
    *,
    plain: bool,
) -> None:
    """Print what players know of their own things, and know that the others know of theirs."""
    names, things = _names(moment), moment.layout.held_as[1]
    for player, known_of in known.items():
        knower = f"What {moment.layout.person(player)} knows {when(moment)}"
        heading = f"{knower} about their own {things}, and about the others' knowledge of theirs:"
        if plain:
            sentence(out, heading)
            for words in own_things_in_sentences(moment.layout, player, known_of):
                sentence(out, words)
        else:
            out.print(in_colour(heading, names))
            put(out, FilledSheet.of_marks(moment, player, known_of).sheet, names, details=False)


def show_insight(out: Console, moment: Moment[Any, Any], insight: Insight, *, plain: bool) -> None:
    """Print what players know about who knows the answer."""
    if plain:
        out.print(f"What players know {when(moment)} about who knows the answer:")
        for words in insight_in_sentences(moment.layout, insight):
            sentence(out, words)
        return
    players, names, drawn = moment.setup.players, _names(moment), marks()
    titles = dict(zip(players, names, strict=True))
    table = [
        (in_colour(titles[row], names), {o: Text(*drawn[insight[row, o]]) for o in players})
        for row in players
        if (row, row) in insight
    ]
    out.print(f"What each player (row) knows {when(moment)} about who knows the answer (column):")
    out.print(fitted(out, titles, table, names), soft_wrap=True)
    meaning = (
        (Mark.YES, "knows that the other knows it"),
        (Mark.NO, "knows that the other does not"),
        (Mark.OPEN, "cannot tell"),
    )
    out.print(Text(", ".join(f"{drawn[mark][0]} {says}" for mark, says in meaning), style="dim"))
