"""Exact counts for laws that are sums, without a decision diagram."""
