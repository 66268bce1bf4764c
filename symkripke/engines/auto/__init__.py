"""The engine that chooses among the others: `choice` says whom to ask, `attempt` asks them."""

from symkripke.engines.auto.engine import AutoEngine

__all__ = ["AutoEngine"]
