"""Reading of text files with clear errors, and writing of whole files or none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from symkripke import limits
from symkripke.argument_types import unexpected
from symkripke.errors import InputError, LogError, clipped

if TYPE_CHECKING:
    from pathlib import Path

_ASIDE = ".symkripke"
"""The suffix of the names of temporary files."""

_HAS_LOCKS = sys.platform != "win32"
"""True if the system can rename an open, locked file."""


def read_text(
    path: Path | str, fault: type[InputError] = InputError, missing: str | None = None
) -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark.

    Args:
        path: the file.
        fault: the error to raise if the file cannot be read.
        missing: the text to return if the file does not exist; None to raise the error.
    """
    if not isinstance(path, str | os.PathLike):  # a number would be an open file
        raise unexpected("the name of a file", path)
    if not str(path):
        raise fault("cannot read: the name of the file is empty")
    try:
        with open(path, "rb") as file:
            return limits.read_text(file)
    except FileNotFoundError as error:
        if missing is not None:
            return missing
        raise fault(f"cannot read {clipped(str(path), 200)}: {reason(error)}") from None
    except UnicodeDecodeError:
        raise fault(f"cannot read {path}: expected text (UTF-8), got other data") from None
    except (OSError, ValueError) as error:  # a null character in the name raises `ValueError`
        raise fault(f"cannot read {clipped(str(path), 200)}: {reason(error)}") from None


def write_whole(path: Path | str, text: str) -> None:
    """Write a temporary file and rename it, so that the file at `path` is never incomplete.

    Raises:
        LogError: the file cannot be written.
    """
    with renamed(path) as aside:
        aside.write_text(text, encoding="utf-8", newline="\n")


def make_folder(folder: Path) -> None:
    """Create a folder and its parents if missing; raise `LogError` if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LogError(f"cannot make {folder}: {reason(error)}") from None


@contextmanager
def renamed(path: Path | str) -> Iterator[Path]:
    """Yield a temporary file for the body to write, and rename it to `path` afterwards.

    Raises:
        LogError: the file cannot be created, written or renamed. The temporary file is removed.
    """
    target = log_target(path)
    if target.exists() and not target.is_file() and not target.is_dir():
        # Devices and pipes are written directly: they must not be replaced by a file.
        try:
            yield target
        except BrokenPipeError:
            raise
        except OSError as error:
            raise LogError(f"cannot write {clipped(str(target))}: {reason(error)}") from None
        return
    sweep(target.parent, aside_prefix(target.name))
    handle, aside = _new_aside(target)
    try:
        yield aside
        mask = os.umask(0)
        os.umask(mask)
        # The new file has the permissions of the old one.
        aside.chmod(target.stat().st_mode & 0o777 if target.is_file() else 0o666 & ~mask)
        aside.replace(target)
    except OSError as error:
        raise LogError(f"cannot write {clipped(str(target))}: {reason(error)}") from None
    finally:
        aside.unlink(missing_ok=True)
        if _HAS_LOCKS:
            os.close(handle)


def _new_aside(target: Path) -> tuple[int, Path]:
    """Create a locked temporary file next to the target; return its handle and its path.

    The lock protects the file from `sweep`. On Windows the handle is closed, because an open file
    cannot be renamed there.

    Raises:
        LogError: the file cannot be created.
    """
    import tempfile  # slow to import
    from pathlib import Path

    from symkripke.file_lock import locked_now

    try:
        while True:
            handle, name = tempfile.mkstemp(_ASIDE, aside_prefix(target.name), target.parent)
            if not _HAS_LOCKS:
                os.close(handle)
                return handle, Path(name)
            with suppress(OSError):  # without locks, `sweep` removes nothing
                locked_now(handle)
            if os.path.exists(name):
                return handle, Path(name)
            os.close(handle)  # removed by `sweep` before it was locked
    except (OSError, ValueError) as error:
        raise LogError(f"cannot write {clipped(str(target))}: {reason(error)}") from None


def sweep(folder: Path, prefix: str = ".") -> None:
    """Remove the temporary files of killed writers whose names begin with `prefix`.

    A running writer holds a lock on its file. Without support for locks, nothing is removed.
    """
    if not _HAS_LOCKS:
        return
    with suppress(OSError):
        for entry in os.scandir(folder):
            name = entry.name
            if name.startswith(prefix) and name.endswith(_ASIDE) and entry.is_file():
                _remove_if_unlocked(entry.path)


def _remove_if_unlocked(path: str) -> None:
    from symkripke.file_lock import locked_now

    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            if locked_now(handle):
                os.unlink(path)
        finally:
            os.close(handle)


def aside_prefix(name: str) -> str:
    """Return the prefix of the temporary file's name, which is short even if `name` is long."""
    return f".{name[:20]}."


def log_target(path: Path | str) -> Path:
    """Return the path to write, with a link resolved; raise `LogError` if the path is invalid."""
    from pathlib import Path

    if not str(path):
        raise LogError("cannot write: the name of the file is empty")
    try:
        return Path(path).resolve() if Path(path).is_symlink() else Path(path)
    except (OSError, ValueError, RuntimeError) as error:
        raise LogError(f"cannot write {clipped(str(path))}: {reason(error)}") from None


def check_writable(path: Path | str, *, replace: bool = True) -> None:
    """Raise `LogError` if `write_whole` to the path would fail.

    This is called before a game is played. Without `replace`, an existing file raises `InputError`.
    """
    target = log_target(path)
    if not replace and target.is_file():
        raise InputError(
            f"{target} already exists: choose another file, or replace it with --force"
        )
    if target.is_dir():
        raise LogError(f"cannot write {target}: it is a directory")
    if target.exists() and not target.is_file():
        return
    try:
        os.lstat(target)  # this name may be too long even if the temporary one is not
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise LogError(f"cannot write {clipped(str(target))}: {reason(error)}") from None
    handle, aside = _new_aside(target)
    aside.unlink()
    if _HAS_LOCKS:
        os.close(handle)


def reason(error: Exception) -> str:
    """Return the message of an error, without the number and the path of an `OSError`."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
