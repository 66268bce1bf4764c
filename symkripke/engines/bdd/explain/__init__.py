"""Evidence for the answers of the bdd engine: worlds of diagrams, and sources of beliefs."""
