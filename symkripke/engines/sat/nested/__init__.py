"""Knowledge about knowledge, by lemmas that hold at every world: `modulo` says how."""
