"""Questions for other solvers, and small models as pictures."""
