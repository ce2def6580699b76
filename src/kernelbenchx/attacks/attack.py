"""What a file of the suite says about itself: read as text, never imported."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kernelbenchx.core.errors import KbxError
from kernelbenchx.core.outcome import Composition

_HERE = Path(__file__).parent
SUITE, CONTROLS = _HERE / "suite", _HERE / "controls"
OUTCOMES = frozenset({"rejected", "broken", "wrong", "correct"})
LEVELS = ("L1", "L2", "L3")
DEVICES = ("any", "interpreter", "cuda")
_ATTACK_FIELDS = frozenset(
    {"class", "task", "checks", "no-checks", "level", "composition", "device", "dangerous"}
)
_CONTROL_FIELDS = frozenset({"task", "composition", "device"})
_CLASS = re.compile(r"[NCVX][1-9][0-9]?")


class BrokenAttack(KbxError):
    """A file of the suite does not say what it must get."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """A submission that must not get more than its file says."""

    name: str
    source: str
    what: str
    """What it tries, in one sentence."""
    ident: str
    """Its class, such as `V4`."""
    task: str
    checks: frozenset[str]
    """Outcomes it may get with the source checks on."""
    no_checks: frozenset[str]
    """Outcomes it may get with the source checks off."""
    level: str
    """The lowest level that stops it when the checks are off."""
    composition: Composition | None = None
    """What it must be found to be made of where it may be correct."""
    device: str = "any"
    dangerous: bool = False
    """Would do harm to the machine below its level: not even tried there."""

    def allowed(self, *, checks: bool) -> frozenset[str]:
        """The outcomes that it may get."""
        return self.checks if checks else self.no_checks


@dataclass(frozen=True, kw_only=True)
class Control:
    """An honest submission that must be correct, with and without the checks."""

    name: str
    source: str
    what: str
    task: str
    composition: Composition = Composition.PURE
    device: str = "any"


def attacks() -> tuple[Attack, ...]:
    """The whole suite, by class and name."""
    found = [read_attack(path) for path in _files(SUITE)]
    return tuple(sorted(found, key=lambda one: (_rank(one.ident), one.name)))


def controls() -> tuple[Control, ...]:
    """All honest controls."""
    return tuple(read_control(path) for path in _files(CONTROLS))


def read_attack(path: Path) -> Attack:
    """One attack; whatever its file leaves open or misspells is an error."""
    source = path.read_text(encoding="utf-8")
    what, fields = _header(path.name, source, _ATTACK_FIELDS)
    _require(path.name, fields, ("class", "task", "checks", "no-checks", "level"))
    ident = fields["class"]
    if not _CLASS.fullmatch(ident) or path.stem.partition("_")[0].upper() != ident:
        raise BrokenAttack(f"{path.name}: its class is {ident!r}, and its name must begin with it")
    attack = Attack(
        name=path.stem,
        source=source,
        what=what,
        ident=ident,
        task=fields["task"],
        checks=_outcomes(path.name, fields["checks"]),
        no_checks=_outcomes(path.name, fields["no-checks"]),
        level=_one_of(path.name, fields["level"], LEVELS),
        composition=_composition(path.name, fields.get("composition")),
        device=_one_of(path.name, fields.get("device", "any"), DEVICES),
        dangerous=_one_of(path.name, fields.get("dangerous", "no"), ("yes", "no")) == "yes",
    )
    if "correct" in attack.checks | attack.no_checks and attack.composition is None:
        raise BrokenAttack(f"{path.name}: may be correct, but made of what?")
    return attack


def read_control(path: Path) -> Control:
    """One control."""
    source = path.read_text(encoding="utf-8")
    what, fields = _header(path.name, source, _CONTROL_FIELDS)
    _require(path.name, fields, ("task",))
    return Control(
        name=path.stem,
        source=source,
        what=what,
        task=fields["task"],
        composition=_composition(path.name, fields.get("composition")) or Composition.PURE,
        device=_one_of(path.name, fields.get("device", "any"), DEVICES),
    )


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.glob("*.py"))


def _rank(ident: str) -> tuple[int, int]:
    return "NCVX".index(ident[0]), int(ident[1:])


def _header(name: str, source: str, known: frozenset[str]) -> tuple[str, dict[str, str]]:
    """First line and `key: value` lines of the module's docstring."""
    try:
        text = ast.get_docstring(ast.parse(source)) or ""
    except SyntaxError as error:
        raise BrokenAttack(f"{name}: not Python: {error}") from error
    what, _, rest = text.partition("\n")
    if not what.endswith("."):
        raise BrokenAttack(f"{name}: its docstring must begin with one sentence")
    fields: dict[str, str] = {}
    for line in filter(str.strip, rest.splitlines()):
        key, colon, value = line.partition(":")
        if not colon or key not in known or key in fields or not value.strip():
            raise BrokenAttack(f"{name}: {line!r} is not one of {', '.join(sorted(known))}")
        fields[key] = value.strip()
    return what, fields


def _require(name: str, fields: dict[str, str], wanted: tuple[str, ...]) -> None:
    missing = [key for key in wanted if key not in fields]
    if missing:
        raise BrokenAttack(f"{name}: says nothing about {', '.join(missing)}")


def _outcomes(name: str, text: str) -> frozenset[str]:
    return frozenset(_one_of(name, word, tuple(sorted(OUTCOMES))) for word in text.split("|"))


def _one_of(name: str, word: str, known: tuple[str, ...]) -> str:
    if word not in known:
        raise BrokenAttack(f"{name}: {word!r} is not one of {', '.join(known)}")
    return word


def _composition(name: str, word: str | None) -> Composition | None:
    if word is None:
        return None
    return Composition(_one_of(name, word, tuple(one.value for one in Composition)))
