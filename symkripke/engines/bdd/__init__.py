"""The bdd engine: sets of worlds as binary decision diagrams, with exact counts."""

from symkripke.engines.bdd.engine import BddEngine

__all__ = ["BddEngine"]
