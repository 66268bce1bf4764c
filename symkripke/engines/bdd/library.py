"""The modules of OxiDD, the library of decision diagrams, without its slow `__init__`.

`oxidd/__init__.py` asks `importlib.metadata` for its own version, which imports the modules for
mail, archives and sockets of the standard library. So the modules are imported in a package whose
`__init__` does not run. A later `import oxidd` imports the real package, with these modules in it.

`symkripke check` of a file of ten lines takes 0.09 s of processor time in this way, and 0.12 s with
`import oxidd.bcdd`. (`python -X importtime -c "import oxidd.bcdd"` lists the imported modules.)
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oxidd.bcdd import BCDDFunction, BCDDManager
    from oxidd.util import BooleanOperator, DDMemoryError


def _modules() -> tuple[Any, Any]:
    """Return the modules `oxidd.bcdd` and `oxidd.util`."""
    spec = None if "oxidd" in sys.modules else PathFinder.find_spec("oxidd")
    if spec is None or spec.submodule_search_locations is None:
        # The package is imported already, or is not installed in a folder.
        return import_module("oxidd.bcdd"), import_module("oxidd.util")
    package = ModuleType("oxidd")
    package.__path__ = spec.submodule_search_locations
    sys.modules["oxidd"] = package
    try:
        return import_module("oxidd.bcdd"), import_module("oxidd.util")
    finally:
        del sys.modules["oxidd"]


if not TYPE_CHECKING:
    _bcdd, _util = _modules()
    BCDDFunction = _bcdd.BCDDFunction
    BCDDManager = _bcdd.BCDDManager
    BooleanOperator = _util.BooleanOperator
    DDMemoryError = _util.DDMemoryError

__all__ = ["BCDDFunction", "BCDDManager", "BooleanOperator", "DDMemoryError"]
