"""Evidence for answers: as data, with its sources, and in words."""
