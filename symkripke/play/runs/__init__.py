"""Runs of many games: tournaments, the processes that play them, and their results.

| module | content |
|---|---|
| `tournament` | the plan of a run, and the play of each game |
| `measures` | the measures of each game of a run |
| `summary`, `statistics` | shares with intervals, means, curves |
| `workers` | processes that call functions, with limits |
| `run`, `run_folder`, `result_files` | a run that can be stopped and resumed |
"""
