"""Why the bdd engine answers as it does: worlds of diagrams, and what beliefs rest on."""
