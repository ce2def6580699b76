"""All cells of a study, one after another, within its budget."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from kernelbenchx.cluster.engine import resolve
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import ResolvedSettings, Settings
from kernelbenchx.core.standards import Standard
from kernelbenchx.core.transcript import Usage
from kernelbenchx.evaluate.engine import Engine
from kernelbenchx.evaluate.own_test_isolation import require_confinable
from kernelbenchx.generate.budget import Caps
from kernelbenchx.generate.method import HasOwnTests
from kernelbenchx.generate.models.open_model import OpenModel, Terms
from kernelbenchx.generate.prompts import prompts_for
from kernelbenchx.generate.retry_policy import RetryPolicy
from kernelbenchx.generate.write_run import RunOrder, RunProgress, write_run
from kernelbenchx.study.cells import Cell
from kernelbenchx.study.checking import CheckedStudy
from kernelbenchx.study.folder import StudyFolder

N = TypeVar("N", int, float)


@dataclass(frozen=True, kw_only=True)
class StudyMachine:
    """Settings of the machine that runs a study; they change none of its results."""

    jobs: int
    isolation: str = "auto"
    in_flight: int = 16
    timeout_s: float = 600.0
    environment: Mapping[str, str]
    engine: Engine | None = None
    """Other machines that judge."""


def wanted_settings(checked: CheckedStudy, machine: StudyMachine) -> Settings:
    """How every kernel of the study is to be judged."""
    study = checked.study
    return Settings(
        device=study.device,
        stage=Stage(study.stage),
        baselines=study.baselines,
        jobs=machine.jobs,
        isolation=machine.isolation,
        time_limit_s=study.time_limit,
    )


def settings_for(checked: CheckedStudy, machine: StudyMachine) -> ResolvedSettings:
    """The same as it will be; raises `BadInput` where no machine can."""
    settings = resolve(wanted_settings(checked, machine), machine.engine)
    if machine.engine is not None:
        return settings
    if any(isinstance(cell.method, HasOwnTests) for cell in checked.cells):
        require_confinable(settings.isolation)
    return settings


@dataclass(frozen=True, kw_only=True)
class CellRunner:
    """Runs the cells of one study into its folder."""

    checked: CheckedStudy
    folder: StudyFolder
    settings: ResolvedSettings
    machine: StudyMachine
    seed: int

    def run(self, cell: Cell, progress: RunProgress, reached: Callable[[OpenModel], None]) -> int:
        """One cell to its end; returns the tokens of requests without a recorded end."""
        study = self.checked.study
        terms = Terms(
            base_url=cell.model.base_url,
            in_flight=self.machine.in_flight,
            caps=self.caps(cell),
            prices=self.checked.prices,
            patience=RetryPolicy(timeout_s=self.machine.timeout_s),
        )
        order = RunOrder(
            method_name=cell.method_name,
            method=cell.method,
            model=cell.model.model,
            tasks=study.tasks,
            prompts=prompts_for(cell.prompting, study.tasks),
            settings=msgspec.structs.replace(self.settings, seed=self.seed),
            out=self.folder.run(cell),
            terms=terms,
            temperature=cell.model.temperature,
            max_tokens=cell.model.max_tokens,
            standard=Standard(study.correct),
            engine=self.machine.engine,
        )
        return write_run(order, progress, self.machine.environment, reached)

    def caps(self, cell: Cell) -> Caps:
        """Its own caps, and no more than the other cells have left of the study's."""
        budget = self.checked.study.budget
        others = [one for one in self.checked.cells if one is not cell]
        spent = {one.digest: self.folder.count_tokens(one) for one in others}
        tokens = [budget.tokens_per_cell]
        if budget.tokens is not None:
            tokens.append(budget.tokens - sum(one.total for one in spent.values()))
        dollars = [budget.dollars_per_cell]
        if budget.dollars is not None:
            dollars.append(budget.dollars - self._sum_cost(others, spent))
        return Caps(
            tokens=_least(tokens, 1),
            dollars=_least(dollars, 1e-9),
        )

    def _sum_cost(self, cells: Sequence[Cell], spent: Mapping[str, Usage]) -> float:
        prices = [self.checked.prices.of(cell.model_name) for cell in cells]
        return sum(
            price.cost(spent[cell.digest])
            for cell, price in zip(cells, prices, strict=True)
            if price is not None
        )


def _least(caps: Sequence[N | None], smallest: N) -> N | None:
    """The tightest; one that is spent stays a cap, so that no request fits."""
    known = [max(cap, smallest) for cap in caps if cap is not None]
    return min(known) if known else None
