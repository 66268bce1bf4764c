"""Reasons of answers: minimal sources, and worlds that somebody considers possible."""
