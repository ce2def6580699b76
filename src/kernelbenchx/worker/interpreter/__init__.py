"""Triton's interpreter, with its errors repaired and with checks that a device does not make.

`install()` changes the process it runs in, which must have TRITON_INTERPRET=1 in its environment.
"""

from .errors import DeviceAssertion, NotInterpretable, OutOfBounds, Unsupported
from .install import install, watching
from .watch import Watch

__all__ = [
    "DeviceAssertion",
    "NotInterpretable",
    "OutOfBounds",
    "Unsupported",
    "Watch",
    "install",
    "watching",
]
