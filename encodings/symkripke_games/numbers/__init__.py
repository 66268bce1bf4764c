"""Problems about numbers without bounds, one file each, for `symkripke check`."""
