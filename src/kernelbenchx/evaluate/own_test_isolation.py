"""Where tests that a model wrote may run.

What they print comes back and may be told to a model's server, and no rule has looked at them:
they must not be able to read what is nobody's business.
"""

from kernelbenchx.core.errors import BadInput
from kernelbenchx.runner.isolation import choose
from kernelbenchx.runner.levels import Level


def require_confined(level: Level) -> None:
    """Raises where files of others could be read."""
    if level < Level.L2:
        raise BadInput(f"tests that a model wrote need isolation L2 or L3, not {level}")


def require_confinable(wanted: str) -> None:
    """The same for a level as settings name it, before anybody is asked for such a test."""
    require_confined(choose(None if wanted == "auto" else wanted).level)
