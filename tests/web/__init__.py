"""The tables in the browser."""
