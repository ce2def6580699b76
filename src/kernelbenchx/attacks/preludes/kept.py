"""Answers of earlier calls."""

KEPT = {}
