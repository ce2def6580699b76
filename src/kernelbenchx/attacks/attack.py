"""The header of a file of the suite: read as text, never imported."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kernelbenchx.attacks.attack_header import (
    BrokenAttack,
    one_of,
    read_header,
    require,
    several_of,
)
from kernelbenchx.attacks.expected_times import FIELDS, ExpectedTimes, read_times
from kernelbenchx.attacks.source import expand
from kernelbenchx.core.outcome import Composition, Stage

_HERE = Path(__file__).parent
SUITE, CONTROLS = _HERE / "suite", _HERE / "controls"
OUTCOMES = frozenset({"rejected", "broken", "wrong", "correct"})
LEVELS = ("L1", "L2", "L3")
DEVICES = ("any", "interpreter", "cuda")
_ATTACK_FIELDS = frozenset(
    {
        "class",
        "task",
        "checks",
        "no-checks",
        "level",
        "composition",
        "device",
        "dangerous",
        "times-out",
    }
)
_CONTROL_FIELDS = frozenset({"task", "composition", "device", "stage", "checks", "weights"})
_CLASS = re.compile(r"[NCTVX][1-9][0-9]?")
_YARDSTICK = "timing_honest_"
"""The honest control of a task whose times attacks must not beat."""


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
    """The composition that it must be found to have, where it may be correct."""
    device: str = "any"
    dangerous: bool = False
    """Would do harm to the machine below its level: not even tried there."""
    times_out: bool = False
    """Ends at its time limit, which is then short."""
    times: ExpectedTimes | None = None
    """What its times may be, where it attacks the clock."""

    def allowed_outcomes(self, *, checks: bool) -> frozenset[str]:
        """The outcomes that it may get."""
        return self.checks if checks else self.no_checks


@dataclass(frozen=True, kw_only=True)
class Control:
    """An honest submission that must be correct and, where it is for the clock, timed."""

    name: str
    source: str
    what: str
    task: str
    composition: Composition = Composition.PURE
    device: str = "any"
    stage: Stage = Stage.EXE
    unchecked: bool = False
    """Honest, but refused by the source checks: tried only without them."""
    weights: str = ""
    """How a module must get its weights."""


def attacks() -> tuple[Attack, ...]:
    """All attacks on verdicts, by class and name."""
    return tuple(one for one in _all_attacks() if one.times is None)


def timing_attacks() -> tuple[Attack, ...]:
    """All attacks on the clock, by class and name; each needs a GPU."""
    return tuple(one for one in _all_attacks() if one.times is not None)


def controls() -> tuple[Control, ...]:
    """All honest controls that need no clock."""
    return tuple(one for one in _all_controls() if one.stage is not Stage.PERF)


def timing_controls() -> tuple[Control, ...]:
    """All honest controls that must be timed."""
    return tuple(one for one in _all_controls() if one.stage is Stage.PERF)


def yardstick(task: str) -> Control:
    """The honest control that the times of attacks on a task are compared with."""
    path = CONTROLS / f"{_YARDSTICK}{task}.py"
    if not path.exists():
        raise BrokenAttack(f"{path.name}: no honest control to compare the times of {task} with")
    return read_control(path)


def _all_attacks() -> list[Attack]:
    found = [read_attack(path) for path in _files(SUITE)]
    return sorted(found, key=lambda one: (_rank(one.ident), one.name))


def _all_controls() -> list[Control]:
    return [read_control(path) for path in _files(CONTROLS)]


def read_attack(path: Path) -> Attack:
    """One attack; whatever its file leaves open or misspells is an error."""
    name, stated = path.name, path.stem.partition("_")[0].upper()
    source = expand(path, {"class": stated, "task": "relu", "level": "L1"})
    on_the_clock = path.stem.startswith("t")
    known = _ATTACK_FIELDS | FIELDS if on_the_clock else _ATTACK_FIELDS
    what, fields = read_header(name, source, known)
    require(name, fields, ("checks", "no-checks"))
    ident = fields["class"]
    if not _CLASS.fullmatch(ident) or stated != ident:
        raise BrokenAttack(f"{name}: its class is {ident!r}, and its name must begin with it")
    attack = Attack(
        name=path.stem,
        source=source,
        what=what,
        ident=ident,
        task=fields["task"],
        checks=_outcomes(name, fields["checks"]),
        no_checks=_outcomes(name, fields["no-checks"]),
        level=one_of(name, fields["level"], LEVELS),
        composition=_composition(name, fields.get("composition")),
        device=one_of(name, fields.get("device", "any"), DEVICES),
        dangerous=_yes(name, fields, "dangerous"),
        times_out=_yes(name, fields, "times-out"),
        times=_times(name, fields) if on_the_clock else None,
    )
    if "correct" in attack.checks | attack.no_checks and attack.composition is None:
        raise BrokenAttack(f"{name}: may be correct, but its composition is not declared")
    if attack.times_out and attack.no_checks != {"broken"}:
        raise BrokenAttack(f"{name}: times out, so without checks it is broken and nothing else")
    return attack


def _yes(name: str, fields: dict[str, str], field: str) -> bool:
    return one_of(name, fields.get(field, "no"), ("yes", "no")) == "yes"


def _times(name: str, fields: dict[str, str]) -> ExpectedTimes:
    if fields.get("device") != "cuda":
        raise BrokenAttack(f"{name}: attacks the clock, which needs `device: cuda`")
    return read_times(
        name,
        fields,
        may_pass="correct" in _outcomes(name, fields["checks"]),
        may_pass_unchecked="correct" in _outcomes(name, fields["no-checks"]),
    )


def read_control(path: Path) -> Control:
    """One control."""
    name, source = path.name, expand(path, {"task": "relu"})
    what, fields = read_header(name, source, _CONTROL_FIELDS)
    control = Control(
        name=path.stem,
        source=source,
        what=what,
        task=fields["task"],
        composition=_composition(name, fields.get("composition")) or Composition.PURE,
        device=one_of(name, fields.get("device", "any"), DEVICES),
        stage=Stage(one_of(name, fields.get("stage", "exe"), ("exe", "perf"))),
        unchecked=one_of(name, fields.get("checks", "on"), ("on", "off")) == "off",
        weights=one_of(
            name, fields.get("weights", ""), ("", "name", "place", "part", "shape", "seed")
        ),
    )
    if control.stage is Stage.PERF and control.device != "cuda":
        raise BrokenAttack(f"{name}: is timed, which needs `device: cuda`")
    return control


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.glob("*.py"))


def _rank(ident: str) -> tuple[int, int]:
    return "NCTVX".index(ident[0]), int(ident[1:])


def _outcomes(name: str, text: str) -> frozenset[str]:
    return several_of(name, text, tuple(sorted(OUTCOMES)))


def _composition(name: str, word: str | None) -> Composition | None:
    if word is None:
        return None
    return Composition(one_of(name, word, tuple(one.value for one in Composition)))
