"""Decides where tests that a model wrote may run.

Their output returns and may be sent to a model's server, and no rule has checked it. So they must
not be able to read private files.
"""

from kernelbenchx.core.errors import BadInput
from kernelbenchx.runner.isolation import choose
from kernelbenchx.runner.levels import Level


def require_confined(level: Level) -> None:
    """Raise if they could read other files."""
    if level < Level.L2:
        raise BadInput(f"tests that a model wrote need isolation L2 or L3, not {level}")


def require_confinable(wanted: str) -> None:
    """The same for a level as the settings name it, before a model is asked for such a test."""
    require_confined(choose(None if wanted == "auto" else wanted).level)
