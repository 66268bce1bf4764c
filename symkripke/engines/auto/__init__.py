"""The engine that chooses among the others: `choice` has the rules, `attempt` asks the engines."""

from symkripke.engines.auto.engine import AutoEngine

__all__ = ["AutoEngine"]
