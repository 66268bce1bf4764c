"""A game in a package of its own, installed by pip: once for all tests of a run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "tests" / "outside" / "hanabi"

# Kept by pip out of the network, so that the tests run without one.
_INSTALL = (
    *("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"),
    *("--disable-pip-version-check", "--target"),
)


def installed(temporary: pytest.TempPathFactory) -> Path:
    """The folder that the package is installed in; processes that run tests share it."""
    base = temporary.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    site = shared / "hanabi-site"
    if not site.exists():
        made = temporary.mktemp("outside") / "site"
        subprocess.run([sys.executable, *_INSTALL, str(made), str(SOURCE)], check=True)
        try:
            made.rename(site)
        except OSError:
            assert site.exists()  # another process was sooner
    return site


def with_package(site: Path) -> dict[str, str]:
    """The environment of a process that finds the package, and the sources of this one."""
    path = os.pathsep.join(map(str, (site, ROOT, ROOT / "encodings")))
    return {**os.environ, "PYTHONPATH": path}
