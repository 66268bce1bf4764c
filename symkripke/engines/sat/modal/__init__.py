"""Knowledge about knowledge, by a search that learns lemmas: see `search`."""
