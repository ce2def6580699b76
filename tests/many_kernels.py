"""Who tries which task how often, and what becomes of it: drawn at random from one seed."""

import hashlib
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import many_records
from kernelbenchx.core.environment import Environment, Isolation
from kernelbenchx.core.evaluation import Evaluation, KernelFacts
from kernelbenchx.core.outcome import Composition, Correct, Outcome, Rejected, Stage, Void
from kernelbenchx.core.performance import Performance
from kernelbenchx.core.submission import Origin
from many_sources import broken_source, kernel_source

METHODS = ("agent", "refine", "direct", "tuned", "small", "search", "retrieval", "plain")
SHARES = {  # tasks of a category among 176, and how much easier they are than others
    "fusion": (60, -1.0),
    "math": (36, 0.9),
    "linear_algebra": (17, -0.6),
    "activation": (10, 0.8),
    "matrix_multiply": (10, -0.2),
    "index": (6, -0.4),
    "loss": (6, 0.3),
    "quantization": (6, -3.0),
    "reduce": (6, -0.3),
    "normalization": (5, 0.3),
    "optimizer": (5, 0.1),
    "spatial_ops": (3, -2.5),
    "convolution": (2, -0.8),
    "pooling": (2, -0.4),
    "random": (2, 0.2),
}
_CARDS = {"NVIDIA H200": 1.0, "NVIDIA A100-PCIE-40GB": 1.15, "NVIDIA GeForce RTX 4090": 0.9}


@dataclass(frozen=True)
class Plan:
    """What a run is drawn from."""

    seed: int
    gpu: str
    machine: str
    rounds: int
    pairs: int

    def draw(self, *words: object) -> random.Random:
        return random.Random("/".join(map(str, (self.seed, *words))))

    @property
    def environment(self) -> Environment:
        return Environment(
            harness="0.1.0",
            python="3.12.3",
            torch="2.11.0",
            triton="3.6.0",
            machine=self.machine,
            gpu=self.gpu,
        )


@dataclass(frozen=True)
class _Line:
    """One method's rounds on one task."""

    task: str
    method: str
    sample: int
    skill: float

    @property
    def words(self) -> tuple[object, ...]:
        return self.task, self.method, self.sample


@dataclass(frozen=True)
class _Kernel:
    """What one round left."""

    source: str
    outcome: Outcome
    speedup: float


def evaluations(
    plan: Plan, tasks: Sequence[str], methods: Sequence[str], samples: int
) -> Iterator[tuple[Evaluation, str]]:
    for task in tasks:
        category = task.partition("/")[0]
        ease = SHARES[category][1] + plan.draw(task).gauss(0, 0.8)
        for place, method in enumerate(methods):
            for sample in range(samples):
                noise = plan.draw(task, method, sample).gauss(0, 0.9)
                line = _Line(task, method, sample, ease + 0.8 - 0.5 * place + noise)
                yield from _rounds(plan, line)


def _rounds(plan: Plan, line: _Line) -> Iterator[tuple[Evaluation, str]]:
    """Each builds on the one before; often nothing is changed."""
    kernel: _Kernel | None = None
    for number in range(plan.rounds):
        draw = plan.draw(*line.words, number)
        before = kernel
        kept = draw.random() < 0.6
        if before is None or not (kept and isinstance(before.outcome, Correct)):
            kernel = _kernel(draw, line, number)
        assert kernel is not None
        yield _evaluation(plan, line, number, kernel, before), kernel.source


def _kernel(draw: random.Random, line: _Line, number: int) -> _Kernel:
    level = line.skill + 0.5 * number + draw.gauss(0, 0.7)
    source = kernel_source(line.task, draw, length=4 + len(line.method))
    speedup = math.exp(draw.gauss(0.1 * line.skill - 0.05 * number, 0.5))
    luck = draw.random()
    if luck < 0.003:
        return _Kernel(source, many_records.void(), speedup)
    if luck < 0.06:
        return _Kernel(source, many_records.rejected(draw), speedup)
    if level < -0.3:
        text = broken_source(line.task, draw) if luck > 0.97 else source
        return _Kernel(text, many_records.broken(draw), speedup)
    outcome = many_records.wrong(draw) if level < 0.7 else many_records.correct(draw)
    return _Kernel(source, outcome, speedup)


def _evaluation(
    plan: Plan, line: _Line, number: int, kernel: _Kernel, before: _Kernel | None
) -> Evaluation:
    outcome, timing = kernel.outcome, plan.draw(plan.gpu, *line.words, number)
    return Evaluation(
        submission=f"{line.task.partition('/')[2]}-{line.method}-{line.sample}-r{number}",
        task=line.task,
        digest=_digest(kernel.source),
        origin=Origin(
            file="many.jsonl",
            model=f"model-{METHODS.index(line.method) % 3}",
            method=line.method,
            round=str(number),
            parent=_digest(before.source) if before else "",
        ),
        outcome=outcome,
        composition=_composition(outcome, timing),
        stage=_stage(outcome),
        provisional=False,
        device="cuda",
        isolation=Isolation(level="L3"),
        checks=True,
        seed=plan.seed,
        seconds=round(timing.uniform(0.5, 4.0), 3),
        environment=plan.environment,
        performance=_performance(plan, line, kernel, timing),
        kernels=(KernelFacts(name="_kernel", ok=True, target="sm_90", registers=32),),
        cases=many_records.case_results(timing, outcome),
    )


def _performance(
    plan: Plan, line: _Line, kernel: _Kernel, timing: random.Random
) -> Performance | None:
    if not isinstance(kernel.outcome, Correct):
        return None
    suits = plan.draw(plan.gpu, _digest(kernel.source)).gauss(0, 0.35)
    noise = timing.gauss(0, 0.003)
    speedup = kernel.speedup * _CARDS.get(plan.gpu, 1.0) * math.exp(suits + noise)
    return many_records.performance(timing, plan.gpu, speedup)


def _composition(outcome: Outcome, draw: random.Random) -> Composition:
    if isinstance(outcome, Rejected):
        return Composition.NOT_A_KERNEL
    return Composition.MIXED if draw.random() < 0.12 else Composition.PURE


def _stage(outcome: Outcome) -> Stage:
    if isinstance(outcome, Rejected | Void):
        return Stage.CHECK
    if isinstance(outcome, Correct):
        return Stage.PERF
    return getattr(outcome, "stage", Stage.EXE)


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()
