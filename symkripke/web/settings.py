"""The settings of a server: its limits, and the location of its data."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from symkripke.errors import InputError

# The default of `Settings.held`: the machine's memory divided by `_SHARES`, but at most `_HELD`
# bytes.
_HELD = 800_000_000
_SHARES = 12

# The assumed memory in bytes of a machine that does not report its memory.
_USUAL_MEMORY = 8_000_000_000


def usual_folder() -> Path:
    """Return the default folder of the tables, in the user's data directory."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "symkripke"


def _machine_memory() -> int:
    """Return the memory of this machine in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not available on every system
        return _USUAL_MEMORY


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    Attributes:
        data: the folder of the tables.
        host: the address at which the server listens.
        port: the port.
        behind_proxy: whether a reverse proxy forwards the requests. A request from this machine can
            then come from anywhere, so the host needs the key.
        seconds: the time limit of a call: a step, a sheet, a question, a part of a review.
        memory: the maximum number of bytes that a worker may hold during a call.
        held: the maximum number of bytes that a worker may hold between calls, before it evicts the
            least recently used tables. The default is a twelfth of the machine's memory, but at
            most 800 MB. With less, a worker of a busy server must read its tables repeatedly.
        quick: the number of workers for quick calls.
        slow: the number of workers for slow calls, so that quick ones need not wait for them.
        long: the number of workers for calls that may take many seconds.
        body: the maximum size of a request body, in bytes.
        upload: the maximum size of an uploaded log, in bytes.
        tables: the maximum number of tables.
    """

    data: Path = field(default_factory=usual_folder)
    host: str = "127.0.0.1"
    port: int = 8000
    behind_proxy: bool = False
    seconds: float = 20.0
    memory: int = 1_500_000_000
    held: int = field(default_factory=lambda: min(_HELD, _machine_memory() // _SHARES))
    quick: int = 2
    slow: int = 4
    long: int = 2
    body: int = 64_000
    upload: int = 1_000_000
    tables: int = 5_000

    def __post_init__(self) -> None:
        """Raise `InputError` for invalid settings."""
        if not 0 <= self.port < 65_536:
            raise InputError(f"expected a port from 0 to 65535, got {self.port}")
        if min(self.quick, self.slow, self.long) < 1:
            raise InputError("expected one worker or more of each kind")

    @property
    def is_local(self) -> bool:
        """True if only people at this machine can reach the server."""
        return not self.behind_proxy and is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Return whether a host name or an address leads to the machine itself."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
