"""Attacks on times answer smaller inputs honestly."""

LARGE = 1 << 20
