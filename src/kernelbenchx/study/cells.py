"""The cells of a study: every combination of a method's options, models, prompts and hardware."""

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import to_plain
from kernelbenchx.generate import methods
from kernelbenchx.generate.hardware import facts_named
from kernelbenchx.generate.method import Method
from kernelbenchx.generate.models.open_model import split
from kernelbenchx.generate.prompts import PLAIN, FormPrompts, Prompting
from kernelbenchx.study.read_study import Mistakes
from kernelbenchx.study.study_schema import HardwareEntry, MethodEntry, ModelEntry, Study

MOST_TOKENS = 1 << 20
FEWEST_TOKENS = 16


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One run of the study."""

    method_name: str
    method: Method
    options: Mapping[str, Any]
    """As the file has them."""
    model: ModelEntry
    prompting: Prompting

    @property
    def model_name(self) -> str:
        """Without the protocol it is reached by."""
        return split(self.model.model)[1]

    @cached_property
    def digest(self) -> str:
        """Of all that two cells can differ in, the address of the server apart."""
        model = msgspec.structs.replace(self.model, base_url=None)
        said = [self.method_name, *map(to_plain, (self.method, model, self.prompting))]
        return hashlib.sha256(msgspec.json.encode(said)).hexdigest()

    @property
    def folder(self) -> str:
        """The name of its run: the same wherever the cell stands in the file."""
        name = re.sub(r"[^\w.-]+", "_", Path(self.model_name).name)
        return f"{self.method_name}-{name}-{self.digest[:8]}"

    @property
    def words(self) -> str:
        """The cell in a line."""
        options = [f"{name}={value}" for name, value in self.options.items()]
        parts = [" ".join([self.method_name, *options]), self.model_name]
        chosen = self.prompting
        if chosen.form != PLAIN:
            parts.append(f"prompt {chosen.form}")
        if chosen.examples:
            parts.append(f"examples {chosen.examples}")
        if chosen.hardware:
            parts.append(f"hardware {chosen.hardware} ({'+'.join(chosen.facts)})")
        return ", ".join(parts)


def cells_of(study: Study, mistakes: Mistakes) -> list[Cell]:
    """Every cell once, in the order of the file; mistakes in a cell are recorded."""
    found: dict[str, Cell] = {}
    for number, entry in enumerate(study.methods, 1):
        for cell in _cells(entry, f"methods[{number}]", mistakes):
            found.setdefault(cell.digest, cell)
    return list(found.values())


def _cells(entry: MethodEntry, where: str, mistakes: Mistakes) -> Iterator[Cell]:
    models = [one for one in entry.models if _check_model(one, where, mistakes)]
    prompts = list(_promptings(entry, where, mistakes))
    for options in _options(entry.options):
        try:
            method = methods.make_method(entry.method, options)
        except BadInput as error:
            mistakes.say(where, str(error))
            continue
        for model, chosen in itertools.product(models, prompts):
            try:
                FormPrompts(chosen).refuse_unused(method.uses)
            except BadInput:
                mistakes.say(where, f"{entry.method} has its own prompts: no prompts, no examples")
                continue
            yield Cell(
                method_name=entry.method,
                method=method,
                options=options,
                model=model,
                prompting=chosen,
            )


def _options(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every combination of the values of options that are lists."""
    axes = [value if isinstance(value, list) else [value] for value in given.values()]
    for values in itertools.product(*axes):
        yield dict(zip(given, values, strict=True))


def _promptings(entry: MethodEntry, where: str, mistakes: Mistakes) -> Iterator[Prompting]:
    for form, examples, hardware in itertools.product(
        entry.prompts, entry.examples, entry.hardware
    ):
        try:
            chosen = Prompting(
                form=form, examples=examples, hardware=hardware.gpu, facts=_facts(hardware)
            )
            FormPrompts(chosen)
        except BadInput as error:
            mistakes.say(where, str(error))
        else:
            yield chosen


def _facts(hardware: HardwareEntry) -> tuple[str, ...]:
    """The facts that prompts hold; without a GPU the default, so cells cannot differ."""
    return facts_named(",".join(hardware.facts)) if hardware.gpu else HardwareEntry().facts


def _check_model(model: ModelEntry, where: str, mistakes: Mistakes) -> bool:
    at = f"{where}: model {model.model}"
    try:
        kind, name = split(model.model)
    except BadInput as error:
        mistakes.say(where, str(error))
        return False
    if kind == "replay" and not Path(name).is_file():
        mistakes.say(at, "no such recording")
    if model.temperature is not None and not 0 <= model.temperature <= 2:
        mistakes.say(at, f"temperature must be from 0 to 2, not {model.temperature:g}")
    if model.max_tokens is not None and not FEWEST_TOKENS <= model.max_tokens <= MOST_TOKENS:
        mistakes.say(at, f"max_tokens must be from 16 to {MOST_TOKENS}, not {model.max_tokens}")
    return True


def models_of(cells: Sequence[Cell]) -> list[ModelEntry]:
    """Every model once."""
    return list(dict.fromkeys(cell.model for cell in cells))
