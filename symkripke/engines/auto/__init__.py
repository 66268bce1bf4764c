"""The engine that chooses among the others: `rules` says in which turns, `turns` asks them."""

from symkripke.engines.auto.engine import AutoEngine

__all__ = ["AutoEngine"]
