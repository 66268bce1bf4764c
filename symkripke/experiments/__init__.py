"""Experiments: a question, the games that are played for it, and a report.

`experiment` finds an experiment by its name or file, `run` plays its games into a folder, `report`
computes its results, and `write_all` writes them as pages. The extra `lab` installs the required
libraries.
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
