"""Files in the text format of SMCDEL, the reference checker of dynamic epistemic logic."""
