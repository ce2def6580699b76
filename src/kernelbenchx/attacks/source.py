"""The program that a file of the suite stands for, with its whole header and its preludes."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kernelbenchx.attacks.attack_header import BrokenAttack

PRELUDES = Path(__file__).parent / "preludes"
_FILE = re.compile(r'"""(\S.*?)"""\n(.*)', re.DOTALL)
_IMPORTS = re.compile(r"(?:(?:from|import) [^(\n]*(?:\([^)]*\))?\n|\n)*")
_FIRST = ("class", "task", "checks", "no-checks", "level")
"""These fields stand first and in this order; the others follow."""
_OWN = "\n...\n"
"""In a prelude: the place of the file's own text, which otherwise comes after the prelude."""
_GAP = "\n\n\n"


def expand(path: Path, defaults: Mapping[str, str]) -> str:
    """Fills in the fields that the header leaves out, and replaces `with` by the preludes.

    Imports of the file come first, then the preludes in their order, then the rest of the file.
    """
    text = path.read_text(encoding="utf-8")
    found = _FILE.fullmatch(text)
    if found is None:  # as `read_header` will say
        return text
    what, *lines = filter(str.strip, found[1].splitlines())
    fields = [line for line in lines if _key(line) != "with"]
    given = {_key(line) for line in fields}
    fields += [f"{key}: {value}" for key, value in defaults.items() if key not in given]
    fields.sort(key=lambda line: _FIRST.index(_key(line)) if _key(line) in _FIRST else len(_FIRST))
    header = "\n".join(['"""' + what, "", *fields, '"""\n'])
    names = [name for line in lines if _key(line) == "with" for name in _names(line)]
    return header + (_with_preludes(path.name, found[2], names) if names else found[2])


def _key(line: str) -> str:
    return line.partition(":")[0]


def _names(line: str) -> list[str]:
    return [name.strip() for name in line.partition(":")[2].split(",")]


def _with_preludes(file: str, text: str, names: list[str]) -> str:
    found = _IMPORTS.match(text)
    imports, own = (text[: found.end()], text[found.end() :]) if found else ("", text)
    preludes = [_prelude(file, name) for name in names]
    parts = [*(before for before, _ in preludes), own, *(after for _, after in preludes)]
    program = _GAP.join(part for part in (part.strip("\n") for part in parts) if part)
    return "".join(f"\n{part}\n" for part in (imports.strip("\n"), program) if part)


def _prelude(file: str, name: str) -> tuple[str, str]:
    """What stands before the file's own text, and what stands after it."""
    known = _preludes()
    if name not in known:
        raise BrokenAttack(f"{file}: unknown prelude {name!r}; there are {', '.join(known)}")
    before, _, after = known[name].partition(_OWN)
    return before, after


@cache
def _preludes() -> dict[str, str]:
    """Text of each prelude without its docstring."""
    found = {path.stem: _FILE.fullmatch(path.read_text("utf-8")) for path in PRELUDES.glob("*.py")}
    return {name: text[2] for name, text in sorted(found.items()) if text}
