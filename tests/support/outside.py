"""A game in a separate package, which pip installs once for all tests of a run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "tests" / "outside" / "fireworks"

# Options that keep pip off the network so that the tests run without one.
_INSTALL = (
    *("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"),
    *("--disable-pip-version-check", "--target"),
)


def installed(temporary: pytest.TempPathFactory) -> Path:
    """Return the folder with the installed package; the processes of a test run share it."""
    base = temporary.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    site = shared / "fireworks-site"
    if not site.exists():
        made = temporary.mktemp("outside") / "site"
        subprocess.run([sys.executable, *_INSTALL, str(made), str(SOURCE)], check=True)
        try:
            made.rename(site)
        except OSError:
            assert site.exists()  # another process was faster
    return site


def with_package(site: Path) -> dict[str, str]:
    """Return the environment of a process that can import the package and our sources."""
    path = os.pathsep.join(map(str, (site, ROOT, ROOT / "encodings")))
    return {**os.environ, "PYTHONPATH": path}
