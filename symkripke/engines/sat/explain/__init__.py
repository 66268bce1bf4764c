"""Why an answer is what it is: minimal sources, and worlds that somebody considers possible."""
