"""Decides what is right. Never in a worker."""
