"""Decides whether results are right. Never runs in a worker."""
