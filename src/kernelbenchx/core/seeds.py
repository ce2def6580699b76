"""Draws secret seeds, new for each run, and derives one per case. No other module draws seeds."""

import hashlib
import secrets


def draw_seed() -> int:
    """A new secret seed of 62 bits."""
    return secrets.randbits(62) | 1


def derive_seed(seed: int, *names: str | int) -> int:
    """Derive a seed for one purpose: knowing one says nothing about the others."""
    text = "\0".join([str(seed), *map(str, names)]).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") >> 2
