"""Reading a task from files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from symkripke.decoding import from_json
from symkripke.errors import InputError
from symkripke.files import read_text
from symkripke.problems.epddl.ground import ground
from symkripke.problems.epddl.reader import Specification, read_task
from symkripke.problems.epddl.syntax import Text
from symkripke.problems.epddl.task_json import task_of
from symkripke.problems.planning.task import Task


def read_files(paths: Sequence[str]) -> Specification:
    """Read EPDDL files of one task: a domain, a problem, and libraries of action types.

    Raises:
        InputError: a file is missing or invalid.
    """
    return read_task(Text(read_text(path), path) for path in paths)


def load(paths: Sequence[str]) -> Task:
    """Return the task in EPDDL files, in a JSON file that names them, or in one of a ground task.

    Raises:
        InputError: a file is missing or invalid, or there is no problem.
    """
    if len(paths) == 1 and paths[0].endswith(".json"):
        data = json_of(paths[0])
        if not isinstance(data, dict) or "domain" not in data or "problem" not in data:
            with faults_in(paths[0]):
                return task_of(data)
        folder = Path(paths[0]).parent
        named = [data["domain"], data["problem"], *data.get("action-type-libraries", ())]
        paths = [str(folder / str(each)) for each in named]
    read = read_files(paths)
    if read.init is None:
        raise InputError("expected a problem as well, as in (define (problem NAME) ...)")
    return ground(read)


@contextmanager
def faults_in(path: str) -> Iterator[None]:
    """Raise each `InputError` with the name of the file."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def json_of(path: str) -> Any:
    """Return the contents of a JSON file; raise `InputError` if it is missing or invalid."""
    return from_json(read_text(path), Any, path)
