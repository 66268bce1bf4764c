"""Swaps: small changes of a world that preserve the law, and the lemmas that follow from them."""
