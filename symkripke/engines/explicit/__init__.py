"""The explicit engine: the Kripke model, listed world by world."""

from symkripke.engines.explicit.engine import ExplicitEngine

__all__ = ["ExplicitEngine"]
