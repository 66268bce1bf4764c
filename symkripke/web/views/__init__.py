"""The content of pages, as plain data. These functions run in the worker processes.

They take paths and plain values, and return plain values, because arguments and results are sent
between processes.
"""
