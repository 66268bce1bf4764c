"""What pages show, as plain data: these functions run in the processes that may take long.

They take paths and plain values, and return plain values: both are sent between processes.
"""
