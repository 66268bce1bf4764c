"""Many games: tournaments, the processes that play them, and what is kept of them.

| module | what it has |
|---|---|
| `tournament` | the plan of a run, and the play of one game of it |
| `measures` | what can be measured of each game of a run |
| `summary`, `statistics` | shares with intervals, means, curves |
| `workers` | processes that call functions, with limits |
| `run`, `run_folder`, `result_files` | a run that can be stopped and goes on later |
"""
