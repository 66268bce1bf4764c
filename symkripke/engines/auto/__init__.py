"""The engine that chooses among the other engines: `rules` plans the turns, `turns` runs them."""

from symkripke.engines.auto.engine import AutoEngine

__all__ = ["AutoEngine"]
