"""Seeds: secret and fresh per run, hashed per case. The only place that draws them."""

import hashlib
import secrets


def draw_seed() -> int:
    """A new secret seed of 62 bits."""
    return secrets.randbits(62) | 1


def derive_seed(seed: int, *names: str | int) -> int:
    """A seed for one purpose: knowing one of them says nothing about the others."""
    text = "\0".join([str(seed), *map(str, names)]).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") >> 2
