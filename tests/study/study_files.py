"""Study files as tests write them."""

from collections.abc import Sequence
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.core.errors import BadInput
from kernelbenchx.study.checking import BadStudy, CheckedStudy, check_study

GOOD = """
question = "Does feedback help?"
models = ["openai:one", "openai:two"]
tasks = ["relu", "gelu"]
methods = ["one_shot", { method = "refine", options = { feedback = ["G", "G+E"] } }]
turns = 4
seed = 7
"""


def choose(patterns: Sequence[str], track: str | None, levels: str | None) -> tuple[str, ...]:
    """As the command line chooses, without its folders."""
    if track is not None:
        raise BadInput(f"no track here: {track} {levels}")
    return catalog.select(*patterns)


def check(folder: Path, text: str, **instead: object) -> CheckedStudy:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return check_study(path, choose, instead)


def mistakes(folder: Path, text: str) -> list[str]:
    """What is said of a file, without its name; none where it is in order."""
    try:
        check(folder, text)
    except BadStudy as error:
        return [one.removeprefix(f"{folder / 'study.toml'}: ") for one in error.mistakes]
    return []
