"""Experiments: a question, the games that are played for it, and a report.

`experiment` finds one by its name or file, `run` plays it into a folder, `report` says what came
out, and `write_all` makes pages of that. The libraries that this needs are in the extra `lab`.
"""

from symkripke.experiments.entries import ExperimentError
from symkripke.experiments.experiment import Condition, Experiment
from symkripke.experiments.reader import parse, read
from symkripke.experiments.studies import Study, experiment, studies

__all__ = [
    "Condition",
    "Experiment",
    "ExperimentError",
    "Study",
    "experiment",
    "parse",
    "read",
    "studies",
]
