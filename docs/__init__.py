"""The API reference: HTML pages made from the docstrings by pdoc. Needs the extra `docs`."""
