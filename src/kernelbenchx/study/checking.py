"""Everything about a study that can be known before a request is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.models.anthropic import Anthropic
from kernelbenchx.generate.models.open_model import split
from kernelbenchx.generate.models.openai import OpenAI
from kernelbenchx.generate.prices import Prices, read_prices
from kernelbenchx.study.cells import Cell, cells_of, models_of
from kernelbenchx.study.cost import CostEstimate, estimate
from kernelbenchx.study.read_study import Choose, Mistakes, parse_study, read_table
from kernelbenchx.study.study_schema import BudgetEntry, Study

SERVED = {"openai": OpenAI, "anthropic": Anthropic}


@dataclass(frozen=True, kw_only=True)
class CheckedStudy:
    """A study that can be run."""

    study: Study
    cells: tuple[Cell, ...]
    prices: Prices
    estimates: tuple[CostEstimate, ...]
    """One for each cell."""


class BadStudy(Exception):
    """A file with mistakes, each in one line."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("; ".join(mistakes))
        self.mistakes = tuple(mistakes)


def check_study(path: Path, choose: Choose, instead: Mapping[str, Any]) -> CheckedStudy:
    """The whole file; raises `BadStudy` with all mistakes.

    `instead`: keys of the file that the command line replaces.
    """
    try:
        table = {**read_table(path), **instead}
    except BadInput as error:
        raise BadStudy([str(error)]) from error
    if "tasks" in instead:
        table.pop("track", None)
        table.pop("levels", None)
    if "models" in instead:
        table = _without_models(table)
    mistakes = Mistakes()
    study = parse_study(table, choose, mistakes)
    cells = cells_of(study, mistakes) if study is not None else []
    prices = _prices(study.budget, path, cells, mistakes) if study is not None else Prices()
    if mistakes.said or study is None:
        raise BadStudy([f"{path}: {one}" for one in mistakes.said])
    estimates = [estimate(cell, study.tasks, prices) for cell in cells]
    return CheckedStudy(study=study, cells=tuple(cells), prices=prices, estimates=tuple(estimates))


def _without_models(table: dict[str, Any]) -> dict[str, Any]:
    """Methods lose models of their own, so that those of the command line count."""
    methods = [
        {key: value for key, value in one.items() if key != "models"}
        if isinstance(one, dict)
        else one
        for one in table.get("methods", [])
    ]
    return {**table, "methods": methods}


def missing_keys(cells: Sequence[Cell], environment: Mapping[str, str]) -> list[str]:
    """A line for each key that a model needs and the environment lacks."""
    found = []
    for model in models_of(cells):
        kind, name = split(model.model)
        if (served := SERVED.get(kind)) is None:
            continue
        elsewhere = model.base_url or environment.get(served.URL)
        if not elsewhere and not environment.get(served.KEY, "").strip():
            found.append(f"model {name}: set {served.KEY}, or {served.URL} to another server")
    return list(dict.fromkeys(found))


def _prices(budget: BudgetEntry, path: Path, cells: Sequence[Cell], mistakes: Mistakes) -> Prices:
    for name in budget.__struct_fields__:
        value = getattr(budget, name)
        if isinstance(value, int | float) and not value > 0:
            mistakes.say("budget", f"{name} must be above 0, not {value:g}")
    capped = budget.dollars is not None or budget.dollars_per_cell is not None
    if not budget.prices:
        if capped:
            mistakes.say("budget", "a cap in dollars needs prices, a file with prices")
        return Prices()
    try:
        prices = read_prices(path.parent / budget.prices)
    except BadInput as error:
        mistakes.say("budget", str(error))
        return Prices()
    for model in models_of(cells):
        name = split(model.model)[1]
        if prices.of(name) is None:
            mistakes.say("budget", f"no pattern in {budget.prices} fits the model {name!r}")
    return prices
