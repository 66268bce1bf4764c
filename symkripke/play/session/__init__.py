"""A game in progress, its log, and its replay.

| module | content |
|---|---|
| `record` | the data of a log, which is read, checked and written |
| `course` | the replay: positions and states of knowledge, event by event |
| `log_file` | the file, with one writer at a time; each method writes its changes to the disk |
| `table` | a game between programs, people, or both |
| `seat` | the view of a person at a table |
| `journal` | a real table, whose events are typed, with undo, edit and incomplete entries |
"""
