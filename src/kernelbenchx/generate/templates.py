"""The text files that prompts are made from: `prompts/<name>.txt` is the template `<name>`."""

import hashlib
import re
from functools import cache
from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent / "prompts"


@cache
def template(name: str) -> str:
    """The text of a template."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@cache
def names() -> tuple[str, ...]:
    """The names of all templates."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.txt")))


@cache
def digest(name: str) -> str:
    """SHA-256 of the text of a template: its version."""
    return hashlib.sha256(template(name).encode()).hexdigest()


def fill(name: str, /, **words: str) -> str:
    """A template with these words in it; one word too few is an error, never a hole in a prompt.

    A line that holds nothing but an empty word is left out. What the words hold is not looked at:
    a dollar sign in a reply stays one.
    """
    text = template(name)
    for word in words:
        if not words[word]:
            text = re.sub(rf"^\$({word}|{{{word}}})\n", "", text, flags=re.MULTILINE)
    return Template(text).substitute(words)
