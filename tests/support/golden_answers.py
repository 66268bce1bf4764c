"""Golden logs, and the answers written down for them: see `tests/data/golden/README.md`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symkripke import Budget, Engine, Moment, Record, Scene, engine
from symkripke.errors import BudgetExceeded, SymkripkeError
from symkripke.language import Atom
from symkripke.play.knowledge_matrix import insight
from symkripke.play.odds import deal_fluents

FOLDER = Path(__file__).parent.parent / "data" / "golden"
MOST_POSSIBILITIES = 40
"""Of more, only the number is kept."""

Question = list[Any]
"""Its kind and what it asks, as plain data."""

LOGS = sorted(file.stem for file in (FOLDER / "logs").iterdir())


def log_file(name: str) -> Path:
    """Where that log is."""
    return FOLDER / "logs" / f"{name}.jsonl"


def answers_file(name: str) -> Path:
    """Where its answers are."""
    return FOLDER / "answers" / f"{name}.json"


class Respondent:
    """Answers the questions to one log, as plain data."""

    def __init__(self, record: Record[Any, Any]) -> None:
        self.last: Moment[Any, Any] = record.replay(answering=engine())
        self.bayes: Engine = engine(weighting="bayes")

    def answer(self, events: int, question: Question, budget: Budget | None = None) -> Any:
        """The answer; for a question that cannot be answered, the name of the error's type.

        Raises:
            BudgetExceeded: it takes too long.
        """
        try:
            return self._found(self.last.after(events), question, budget)
        except BudgetExceeded:
            raise
        except SymkripkeError as error:
            return type(error).__name__

    def _found(self, moment: Moment[Any, Any], question: Question, budget: Budget | None) -> Any:
        match question:
            case ["holds", formula]:
                return bool(moment.ask(formula, budget))
            case ["evidence", formula]:
                return moment.ask(formula, budget).why() is not None
            case ["marks", player]:
                return _rows(moment, player, believing=False)
            case ["believed marks", player]:
                return _rows(moment, player, believing=True)
            case ["worlds", "", "deal"]:
                structure = moment.structure
                return moment.engine.worlds(structure, deal_fluents(structure), budget)
            case ["worlds", player, "all"]:
                return moment.engine.worlds(moment.perspective(player), None, budget)
            case ["worlds", player, "deal"]:
                view = moment.perspective(player)
                return moment.engine.worlds(view, deal_fluents(view), budget)
            case ["probability", player, formula]:
                return str(moment.probability(player, formula, budget=budget))
            case ["bayes", player, formula]:
                return str(moment.probability(player, formula, self.bayes, budget))
            case ["possibilities", player]:
                return self._possibilities(moment, player, budget)
            case ["believed", player]:
                found = moment.engine.believed(moment.perspective(player), budget)
                return {
                    "kept": [str(soft.formula) for soft in found.kept],
                    "given up": [str(soft.formula) for soft in found.given_up],
                }
            case ["who"]:
                marks = insight(moment)
                return {f"{i} of {j}": mark.value for (i, j), mark in marks.items()}
            case ["possible to", formula]:
                assert isinstance(moment.state, Scene)
                agents = moment.setup.players
                found_agents = moment.engine.possible_to(moment.state, formula, agents, budget)
                return sorted(found_agents)
        raise AssertionError(f"no such question: {question}")

    @staticmethod
    def _possibilities(moment: Moment[Any, Any], player: str, budget: Budget | None) -> Any:
        view = moment.perspective(player)
        answers = moment.game.answers(moment.setup, moment.structure, player)
        atoms = [answer for answer in answers if isinstance(answer, Atom)]
        found = moment.engine.possibilities(view, atoms, budget=budget)
        if len(found) > MOST_POSSIBILITIES:
            return len(found)
        return sorted(sorted(str(atom) for atom in together) for together in found)


def _rows(moment: Moment[Any, Any], player: str, *, believing: bool) -> dict[str, str]:
    """The note sheet, a sign a cell: y, n or o (open)."""
    marks = moment.marks(player, believing=believing)
    rows: dict[str, str] = {}
    for (row, _), cell in moment.layout.cells.items():
        rows[row] = rows.get(row, "") + marks[cell].value[0]
    return rows


def written(name: str) -> Iterator[tuple[int, Question, Any]]:
    """The questions of that file: after how many events, what, and the answer."""
    for part in json.loads(answers_file(name).read_text(encoding="utf-8")):
        for *question, answer in part["answers"]:
            yield part["events"], question, answer


def differences(name: str) -> list[str]:
    """Where answers are now other than those written down, one text each."""
    respondent = Respondent(Record.read(log_file(name)))
    return [
        f"after {events} events, {question}: expected {expected}, got {now}"
        for events, question, expected in written(name)
        if (now := respondent.answer(events, question)) != expected
    ]
