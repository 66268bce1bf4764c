"""The hook through which models draw pictures.

`symkripke.drawing` asks engines, so it stands above the model, which therefore does not import it.
The package states here, once, what the model calls: see `symkripke.model.picture`.
"""

from __future__ import annotations

# Not from typing: this is imported before the program listens for Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

drawer: Callable[[], Any] | None = None
"""Gives the module that draws; set by the package, which imports it when it is wanted."""
