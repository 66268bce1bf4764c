"""Reasons for answers: minimal sources, and worlds that agents consider possible."""
