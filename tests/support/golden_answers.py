"""Golden logs, and answers to questions at some moments of each, as data.

python -m tests.support.golden_answers             write the files that are missing
python -m tests.support.golden_answers --again     write all answers anew, to the same logs
python -m tests.support.golden_answers --explicit  confirm truth values with another engine
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from symkripke import Budget, Engine, Moment, Record, Scene, engine
from symkripke.errors import BudgetExceeded, SymkripkeError
from symkripke.play.odds import deal_fluents
from symkripke.play.who_knows import insight
from tests.support.golden_logs import LOGS, play
from tests.support.golden_questions import Question, Questions, atoms_of

FOLDER = Path(__file__).parent.parent / "data" / "golden"
MOST_POSSIBILITIES = 40
"""Of more, only the number is kept."""

# What making the questions may cost, in seconds: a whole log, and one question.
_LOG = 0.5
_QUESTION = 0.12
_COUNTING = ("worlds", "probability", "bayes")


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
        atoms = atoms_of(moment.game.answers(moment.setup, moment.structure, player))
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


def put(record: Record[Any, Any], seed: str) -> dict[int, list[tuple[Question, Any]]]:
    """Questions to some moments of that log, with their answers: no slow ones, and not too many."""
    respondent, chance = Respondent(record), Random(seed)
    last = len(record.outcomes)
    moments = sorted({0, last // 5, last // 2, last * 3 // 4, last - 1 if last > 6 else last, last})
    asked: dict[int, list[tuple[Question, Any]]] = {}
    given_up: set[str] = set()
    # Counting the deals of so many hands takes too long.
    large = record.game.name == "old_maid" and len(record.setup.players) > 6
    for events in moments:
        asked[events] = []
        moment, spent = respondent.last.after(events), {True: 0.0, False: 0.0}
        for question in Questions(moment, chance).all():
            kind, formula = question[0], question[0] in ("holds", "evidence")
            if (kind in given_up and 0 < events < last) or spent[formula] > _LOG / len(moments):
                continue
            if large and (kind in _COUNTING or "P[" in question[-1]):
                continue
            start = time.process_time()
            try:
                answer = respondent.answer(events, question, Budget(seconds=0.5 if formula else 3))
            except BudgetExceeded:
                answer = "BudgetExceeded"
            cost = time.process_time() - start
            if not formula and cost > _QUESTION:
                given_up.add(kind)
            if answer in ("BudgetExceeded", "FormulaError"):
                continue
            if cost <= (_QUESTION if formula else 10 * _QUESTION):
                spent[formula] += cost
                asked[events].append((question, answer))
    return asked


def write_answers(name: str) -> None:
    """Put new questions to that log, and write them down with their answers, one a line."""
    asked = put(Record.read(log_file(name)), name)
    parts = []
    for events, answers in asked.items():
        lines = ",\n".join(_line([*question, answer]) for question, answer in answers)
        parts.append(f'{{"events": {events}, "answers": [\n{lines}\n]}}')
    text = "[\n" + ",\n".join(parts) + "\n]\n"
    answers_file(name).parent.mkdir(parents=True, exist_ok=True)
    answers_file(name).write_text(text, encoding="utf-8")


def _line(answered: list[Any]) -> str:
    return json.dumps(answered, ensure_ascii=False, separators=(",", ":"))


def written(name: str) -> Iterator[tuple[int, Question, Any]]:
    """The questions of that file: after how many events, what, and the answer."""
    for part in json.loads(answers_file(name).read_text(encoding="utf-8")):
        for *question, answer in part["answers"]:
            yield part["events"], question, answer


def differences(name: str) -> list[str]:
    """Where answers are now other than those written down, one text each."""
    respondent = Respondent(Record.read(log_file(name)))
    return [
        f"after {events} events, {_line(question)}: expected {expected}, got {now}"
        for events, question, expected in written(name)
        if (now := respondent.answer(events, question)) != expected
    ]


def confirmed(name: str, most: int = 3_000) -> tuple[int, int]:
    """How many truth values explicit enumeration confirms, where worlds are few; and denies."""
    moment = Record.read(log_file(name)).replay()
    explicit, same, other = engine("explicit"), 0, 0
    few: dict[int, bool] = {}
    for events, question, expected in written(name):
        if question[0] != "holds" or not isinstance(expected, bool):
            continue
        here = moment.after(events)
        if events not in few:
            few[events] = moment.engine.worlds(here.structure) <= most
        if not few[events]:
            continue
        try:
            truth = bool(here.ask(question[1], Budget(seconds=2), explicit))
        except SymkripkeError:
            continue
        same, other = same + (truth == expected), other + (truth != expected)
        if truth != expected:
            print(f"{name}, after {events} events: {question[1]}: explicit says {truth}")
    return same, other


def main() -> None:
    """Write what is missing; `--again`: all answers; `--explicit`: confirm what is there."""
    if "--explicit" in sys.argv:
        for name in LOGS:
            same, other = confirmed(name)
            print(f"{name}: {same} confirmed, {other} denied", flush=True)
        return
    for name, played in LOGS.items():
        if not log_file(name).exists():
            log_file(name).parent.mkdir(parents=True, exist_ok=True)
            play(played).write(log_file(name))
        if "--again" in sys.argv or not answers_file(name).exists():
            write_answers(name)
            print(name, sum(1 for _ in written(name)), flush=True)


if __name__ == "__main__":
    main()
