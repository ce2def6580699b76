"""Triton's interpreter, repaired where it is wrong and watched where a device would not tell.

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
