"""Programs ended in every way at random moments, and what must hold of what they leave behind.

program     a program in a session of its own, and the ways to end it
cases       a case by seed and number: what is run, how it is ended, and when
checks      what must hold after it, and once the run has been resumed
command     `python -m benchmarks kills`
experiments `python -m benchmarks experiment-kills`: one study, ended many times
"""
