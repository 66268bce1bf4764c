"""How fast it is: against the explicit model, the bare solver, and published figures.

`python -m benchmarks --help` lists them. None shows a time before its answers are checked; each
names every method and compares only what ran side by side: other machines have other seconds,
but much the same ratios.
"""
