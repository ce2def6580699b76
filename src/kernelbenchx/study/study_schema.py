"""What a study file says, as records: entries with their axes, models, budget."""

from typing import Any

import msgspec

from kernelbenchx.core.record import Record
from kernelbenchx.core.standards import Standard
from kernelbenchx.core.time_limit import AUTO, TimeLimit
from kernelbenchx.generate.hardware import SHEET
from kernelbenchx.generate.prompts import PLAIN


class ModelEntry(Record, frozen=True, kw_only=True):
    """A model, and how it is reached."""

    model: str
    """As `kbx generate --model` takes it: `openai:NAME`."""
    base_url: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None


class HardwareEntry(Record, frozen=True, kw_only=True):
    """What prompts tell about a GPU; without a name they tell nothing."""

    gpu: str = ""
    facts: tuple[str, ...] = (SHEET,)


class MethodEntry(Record, frozen=True, kw_only=True):
    """A method with its options, and the axes that it is run over."""

    method: str
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    """An option with a list as its value is an axis, too."""
    models: tuple[ModelEntry, ...]
    prompts: tuple[str, ...] = (PLAIN,)
    examples: tuple[int, ...] = (0,)
    hardware: tuple[HardwareEntry, ...] = (HardwareEntry(),)


class BudgetEntry(Record, frozen=True, kw_only=True):
    """Caps of the whole study, and of each of its cells; None is no cap."""

    tokens: int | None = None
    dollars: float | None = None
    tokens_per_cell: int | None = None
    dollars_per_cell: float | None = None
    prices: str = ""
    """A file with prices, found from the study file."""


class Study(Record, frozen=True, kw_only=True):
    """A whole study file, understood."""

    question: str = ""
    methods: tuple[MethodEntry, ...]
    tasks: tuple[str, ...]
    """`category/name`, resolved."""
    stage: str = "exe"
    device: str = "auto"
    baselines: tuple[str, ...] = ("eager",)
    time_limit: TimeLimit = AUTO
    correct: str = Standard.STRICT.value
    """What counts as correct: a standard."""
    seed: int | None = None
    budget: BudgetEntry = BudgetEntry()
