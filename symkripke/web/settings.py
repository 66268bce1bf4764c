"""The settings of a server: its limits, and where its data are."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from symkripke.errors import InputError

# The most bytes that a worker holds between calls, and the part of the machine's memory.
_HELD = 800_000_000
_SHARES = 12

# What a machine is taken to have that does not say how much memory it has.
_USUAL_MEMORY = 8_000_000_000


def usual_folder() -> Path:
    """Return the default folder of the tables, in the user's data directory."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "symkripke"


def _machine_memory() -> int:
    """Return the memory of this machine in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        return _USUAL_MEMORY


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    Attributes:
        data: the folder of the tables.
        host: the address that it listens at.
        port: the port.
        behind_proxy: whether a reverse proxy passes requests on. Then a request from this machine
            can come from anywhere, and the host needs the key.
        seconds: the time limit of a call: a step, a sheet, a question, a part of a review.
        memory: the maximum number of bytes that a worker may hold during a call.
        held: how many bytes it may hold between calls: tables used long ago are dropped. By default
            a twelfth of the machine's memory, but no more than 800 MB: with less, a worker of a
            full house reads its tables again and again.
        quick: the number of workers for quick calls.
        slow: the number of workers for slow calls, so that quick ones need not wait for them.
        long: the number of workers for calls that may take many seconds.
        body: the largest body of a request, in bytes.
        tables: the greatest number of tables.
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
    tables: int = 5_000

    def __post_init__(self) -> None:
        """Raise `InputError` for impossible settings."""
        if not 0 <= self.port < 65_536:
            raise InputError(f"expected a port from 0 to 65535, got {self.port}")
        if min(self.quick, self.slow, self.long) < 1:
            raise InputError("expected one worker or more of each kind")

    @property
    def is_local(self) -> bool:
        """True if only people at this machine can reach it."""
        if self.behind_proxy:
            return False
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False
