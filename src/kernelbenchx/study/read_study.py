"""Reads a study file; every mistake becomes one line."""

import difflib
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import Record
from kernelbenchx.core.standards import Standard
from kernelbenchx.core.time_limit import AUTO, MOST_S, TimeLimit
from kernelbenchx.study.study_schema import (
    BudgetEntry,
    HardwareEntry,
    MethodEntry,
    ModelEntry,
    Study,
)

T = TypeVar("T")
R = TypeVar("R", bound=Record)
SHIPPED = Path(__file__).parent / "shipped"

AXES = ("models", "prompts", "examples", "hardware")
SHORTHANDS = {"samples": ("sample", "samples"), "turns": ("refine", "rounds")}
"""A word for the whole file: the method it is for, and the option it sets there."""
STAGES, DEVICES = ("check", "call", "exe", "perf"), ("auto", "cuda", "interpreter")
BASELINES = ("eager", "compile")
STANDARDS = tuple(one.value for one in Standard)
_KEYS = (
    "question", "methods", *AXES, "tasks", "track", "levels", *SHORTHANDS, "stage", "device",
    "baselines", "time_limit", "correct", "seed", "budget",
)  # fmt: skip
_KINDS: dict[type, str] = {str: "text", int: "a whole number", float: "a number", dict: "a table"}
NO_GPU = "none"
Choose = Callable[[Sequence[str], str | None, str | None], tuple[str, ...]]
"""Tasks from patterns, a track and its levels; raises `BadInput`."""


@dataclass
class Mistakes:
    """What is wrong, each in a line."""

    said: list[str] = field(default_factory=list)

    def say(self, where: str, what: str) -> None:
        """Record a mistake as a line, once."""
        line = f"{where}: {what}" if where else what
        if line not in self.said:
            self.said.append(line)

    def refuse_unknown(self, where: str, found: Iterable[str], known: Sequence[str]) -> None:
        """Record keys that mean nothing."""
        for key in found:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                rest = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
                self.say(where, f"unknown key {key!r}; {rest}")

    def one_of(self, where: str, value: Any, known: Sequence[str], default: str) -> str:
        """A word from a list."""
        if value in known:
            return str(value)
        self.say(where, f"must be one of {', '.join(known)}, not {value!r}")
        return default

    def read_list(self, where: str, value: Any, kinds: tuple[type, ...]) -> list[Any]:
        """A list, or one thing for a list of one; of these kinds and never empty."""
        every = value if isinstance(value, list) else [value]
        if not every:
            self.say(where, "must not be empty")
        return [one for one in every if self._fits(where, one, kinds)]

    def plain(self, where: str, value: Any, kind: type[T], default: T) -> T:
        """A single value of a type."""
        return value if self._fits(where, value, (kind,)) else default

    def read_record(self, where: str, table: Mapping[str, Any], kind: type[R]) -> R | None:
        """A table as a record."""
        self.refuse_unknown(where, table, kind.__struct_fields__)
        known = {key: value for key, value in table.items() if key in kind.__struct_fields__}
        try:
            return msgspec.convert(known, kind)
        except msgspec.ValidationError as error:
            self.say(where, str(error).replace(" - at `$.", " in `"))
            return None

    def _fits(self, where: str, value: Any, kinds: tuple[type, ...]) -> bool:
        wide = (*kinds, int) if float in kinds else kinds
        if isinstance(value, wide) and not isinstance(value, bool):
            return True
        wanted = " or ".join(_KINDS[kind] for kind in kinds)
        self.say(where, f"must be {wanted}, not {value!r}")
        return False


def find_file(said: str) -> Path:
    """A path, or the name of a study that is shipped with the package."""
    path = Path(said)
    shipped = SHIPPED / f"{said}.toml"
    if path.is_file() or not shipped.is_file():
        return path
    return shipped


def shipped_names() -> list[str]:
    """Names of the studies that are shipped with the package."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def read_table(path: Path) -> dict[str, Any]:
    """The file as a table; raises `BadInput` where it is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        named = ", ".join(shipped_names())
        raise BadInput(f"{path}: no such file; shipped studies are {named}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: not TOML: {error}") from error


def parse_study(table: Mapping[str, Any], choose: Choose, mistakes: Mistakes) -> Study | None:
    """The study; None where a part is missing without which nothing can be said of the rest."""
    mistakes.refuse_unknown("", table, _KEYS)
    axes = _axes("", table, mistakes)
    methods = _methods(table, axes, mistakes)
    tasks = _tasks(table, choose, mistakes)
    budget = mistakes.read_record("budget", _table("budget", table, mistakes), BudgetEntry)
    stage = mistakes.one_of("stage", table.get("stage", "exe"), STAGES, "exe")
    device = mistakes.one_of("device", table.get("device", "auto"), DEVICES, "auto")
    correct = mistakes.one_of("correct", table.get("correct", STANDARDS[-1]), STANDARDS, "strict")
    baselines = [
        mistakes.one_of("baselines", one, BASELINES, "eager")
        for one in mistakes.read_list("baselines", table.get("baselines", ["eager"]), (str,))
    ]
    if "baselines" in table and stage != "perf":
        mistakes.say("baselines", "needs stage = 'perf'")
    seed = mistakes.plain("seed", table["seed"], int, 1) if "seed" in table else None
    if seed is not None and not 1 <= seed <= 2**62:
        mistakes.say("seed", f"must be from 1 to 2**62, not {seed}")
    limit = _time_limit(table.get("time_limit", AUTO), mistakes)
    if not methods or budget is None:
        return None
    return Study(
        question=mistakes.plain("question", table.get("question", ""), str, ""),
        methods=tuple(methods),
        tasks=tasks,
        stage=stage,
        device=device,
        baselines=tuple(one for one in BASELINES if one == "eager" or one in baselines),
        time_limit=limit,
        correct=correct,
        seed=seed,
        budget=budget,
    )


def _time_limit(said: Any, mistakes: Mistakes) -> TimeLimit:
    if said == AUTO:
        return AUTO
    limit = float(mistakes.plain("time_limit", said, float, MOST_S))
    if not 1 <= limit <= 3600:
        mistakes.say("time_limit", f"must be auto or from 1 to 3600 seconds, not {limit:g}")
    return limit


def _tasks(table: Mapping[str, Any], choose: Choose, mistakes: Mistakes) -> tuple[str, ...]:
    patterns = mistakes.read_list("tasks", table["tasks"], (str,)) if "tasks" in table else []
    track = mistakes.plain("track", table["track"], str, "") if "track" in table else None
    found = mistakes.read_list("levels", table["levels"], (int,)) if "levels" in table else None
    levels = None if found is None else ",".join(map(str, found))
    if not patterns and track is None:
        mistakes.say("tasks", "missing: names or globs of tasks, or a track")
        return ()
    try:
        return choose(patterns, track or None, levels)
    except BadInput as error:
        mistakes.say("tasks", str(error))
        return ()


def _methods(
    table: Mapping[str, Any], axes: Mapping[str, Any], mistakes: Mistakes
) -> list[MethodEntry]:
    if "methods" not in table:
        mistakes.say("methods", "missing: at least one method")
        return []
    found = []
    for number, said in enumerate(mistakes.read_list("methods", table["methods"], (str, dict)), 1):
        where = f"methods[{number}]"
        entry = {"method": said} if isinstance(said, str) else dict(said)
        mistakes.refuse_unknown(where, entry, ("method", "options", *AXES))
        name = mistakes.plain(f"{where}.method", entry.get("method", ""), str, "")
        options = _table("options", entry, mistakes, where)
        own = {**axes, **_axes(where, entry, mistakes)}
        if "models" not in own:
            mistakes.say(where, "has no model: add models to the file or to the method")
            own["models"] = ()
        for word, (method, option) in SHORTHANDS.items():
            if word in table and name == method:
                options = {option: mistakes.plain(word, table[word], int, 1), **options}
        found.append(MethodEntry(method=name, options=options, **own))
    for word, (method, _) in SHORTHANDS.items():
        if word in table and all(one.method != method for one in found):
            mistakes.say(word, f"has no effect: no method of the file is {method}")
    return found


def _axes(where: str, table: Mapping[str, Any], mistakes: Mistakes) -> dict[str, Any]:
    """Those axes that a table has."""
    at = f"{where}." if where else ""
    found: dict[str, Any] = {}
    if "models" in table:
        every = mistakes.read_list(f"{at}models", table["models"], (str, dict))
        made = [
            mistakes.read_record(f"{at}models", _as_table("model", one), ModelEntry)
            for one in every
        ]
        found["models"] = tuple(one for one in made if one is not None)
    if "prompts" in table:
        found["prompts"] = tuple(mistakes.read_list(f"{at}prompts", table["prompts"], (str,)))
    if "examples" in table:
        found["examples"] = tuple(mistakes.read_list(f"{at}examples", table["examples"], (int,)))
    if "hardware" in table:
        every = mistakes.read_list(f"{at}hardware", table["hardware"], (str, dict))
        chosen = [
            mistakes.read_record(f"{at}hardware", _as_table("gpu", one), HardwareEntry)
            for one in every
        ]
        found["hardware"] = tuple(
            msgspec.structs.replace(one, gpu="") if one.gpu == NO_GPU else one
            for one in chosen
            if one is not None
        )
    return found


def _as_table(key: str, said: str | dict[str, Any]) -> dict[str, Any]:
    return {key: said} if isinstance(said, str) else said


def _table(
    key: str, table: Mapping[str, Any], mistakes: Mistakes, where: str = ""
) -> dict[str, Any]:
    at = f"{where}.{key}" if where else key
    return mistakes.plain(at, table.get(key, {}), dict, {})
