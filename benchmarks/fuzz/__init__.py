"""A fuzzer: bad and odd inputs of every kind, and what must hold of whatever comes of them.

shipped     the files that ship, and the examples of their pages: where mutations start
mutations   one text made into another
formulas    formulas, generated
inputs      an input, and one of each kind by seed and number
calls       calls of the Python interface, as lines of a program
worker      one input, run in the process that reads this
watch       a worker or a program from outside: how long, how much memory, which files
faults      what is wrong with an outcome
command     `python -m benchmarks fuzz`
"""
