"""Knowledge about knowledge, decided by a search that learns lemmas: see `search`."""
