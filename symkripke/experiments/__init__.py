"""Experiments: a question, the games that are played for it, and a report.

`read` reads one from its file, `carry_out` plays it into a folder, `report` says what came out.
"""

from symkripke.experiments.entries import ExperimentError
from symkripke.experiments.experiment import Condition, Experiment
from symkripke.experiments.reader import parse, read

__all__ = ["Condition", "Experiment", "ExperimentError", "parse", "read"]
