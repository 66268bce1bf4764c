"""Benchmarks against the explicit model, the bare solver and published figures.

`python -m benchmarks --help` lists them. Each checks its answers before it shows a time, names
every method, and compares only runs made side by side. Times differ between machines, but ratios
are similar.
"""
