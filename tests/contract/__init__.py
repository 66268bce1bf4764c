"""The contracts, applied to our own games, players and engines."""
