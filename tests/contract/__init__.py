"""The contracts, kept by our own games, players and engines."""
