"""A game in progress, its log, and its replay.

| module | content |
|---|---|
| `record` | the data of a log: read, checked, written |
| `course` | the replay: positions and states of knowledge, event by event |
| `log_file` | the file: every change is on disk before a method returns, one writer at a time |
| `table` | a game between programs, people, or both |
| `seat` | the view of a person at such a table |
| `journal` | a real table, whose events are typed: undo, edit, entries left open |
"""
