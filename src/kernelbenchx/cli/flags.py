"""Options in messages of modules that name arguments of the Python API."""

import re

_ARGUMENT = re.compile(
    r"`(address|device|engine|gpu|isolation|jobs|out|problems|seed|sizes|stage|target|task"
    r"|time_limit)(?:='([^`]*)')?`"
)
"""An argument, perhaps with its value."""


def with_flags(message: str) -> str:
    """Arguments as the options of the same name: `out` becomes --out."""

    def flag(found: re.Match[str]) -> str:
        return " ".join(filter(None, (f"--{found[1].replace('_', '-')}", found[2])))

    return _ARGUMENT.sub(flag, message)
