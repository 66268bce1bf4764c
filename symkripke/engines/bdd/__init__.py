"""The bdd engine: sets of worlds as binary decision diagrams; it counts exactly."""

from symkripke.engines.bdd.engine import BddEngine

__all__ = ["BddEngine"]
