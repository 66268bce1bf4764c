"""A server in separate processes, and the cookie of a session."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from itsdangerous import TimestampSigner

from symkripke.web.access import Access


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int, subprocess.Popen[str]]]:
    """Run a server for a folder; yield its host, port and process (which leads a process group)."""
    command = ["-m", "symkripke", "serve", "--port", "0", "--no-open", "--data", str(folder)]
    with subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, process_group=0
    ) as server:
        assert server.stdout is not None
        try:
            for line in server.stdout:
                if found := re.search(r"http://\S+:(\d+)/\s*$", line):
                    yield "127.0.0.1", int(found[1]), server
                    break
        finally:
            kill(server)


def kill(server: subprocess.Popen[str]) -> None:
    """Kill a server and its workers at once, as `kill -9` does."""
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def session_cookie(access: Access, **values: object) -> dict[str, str]:
    """Return the cookie of a session with these values, as signed by the server."""
    told = b64encode(json.dumps(values).encode())
    return {access.cookie: TimestampSigner(access.session_key).sign(told).decode()}
