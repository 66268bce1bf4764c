"""Knowledge about knowledge, by lemmas that hold at every world: `search` says how."""
