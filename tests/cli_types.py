"""The type of the fixture that runs the command line."""

import subprocess
from collections.abc import Callable

Kbx = Callable[..., subprocess.CompletedProcess[str]]
