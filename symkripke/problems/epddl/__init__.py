"""EPDDL, the language of the epistemic track of the International Planning Competition.

(A. Burigana, F. Fabiano: The Epistemic Planning Domain Definition Language, arXiv 2601.20969.)

| module | content |
|---|---|
| files | start here: reading a task from files |
| syntax | brackets and words, with their places |
| names, formulas, reader | the contents of the files, checked |
| requirements | the requirements of the language |
| ground | the planning task: actions, and the first model |
| task_json | plank's JSON of ground tasks |
| words | a task in words |
| standard.epddl | the action types of the libraries `basic` and `intermediate` |
"""

from symkripke.problems.epddl.files import load

__all__ = ["load"]
