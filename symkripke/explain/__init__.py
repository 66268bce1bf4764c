"""Why an answer is what it is: evidence as data, its sources, and both in words."""
