"""The hook through which models draw pictures.

`symkripke.drawing` depends on engines, which depend on the model, so the model does not import it.
The package stores the drawing function here, and `symkripke.model.picture` calls it.
"""

from __future__ import annotations

# Not from typing: this module is imported before the program handles Ctrl-C.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

drawer: Callable[[], Any] | None = None
"""The function that imports and returns the drawing module; set by the package."""
