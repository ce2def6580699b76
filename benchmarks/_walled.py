"""Witnesses on both sides of a comparison where launches cannot be replayed, one side slowed.

Each side is two confined processes with the witness's own Python in them, and the judge's clock is
around both, as it is around every submission that cannot be replayed. A block is as many rounds as
make twenty calls, one after the other, each from a cache as cold as that of any other round; its
time is that of one round. The slowed side makes one call more in the last of them. That call has
inputs, outputs and memory of its own and is asked for like all others, within the same stretch of
the clock: nobody computes a time, and what surrounds a round is on both sides as often.

A source that now and then makes a call twice would not do: the quickest blocks count, and those
would be the ones without it. Nor would a launch on a twentieth of the data: it costs the host as
much as a whole one, and the card more than a twentieth.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

import torch
from _plans import Place, measured

from kernelbenchx.core.performance import Failed, TimedCase, Unmeasured
from kernelbenchx.measure.block_sampling import Sampling
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.case_timing import CaseTiming
from kernelbenchx.measure.host_clock import JudgeClock
from kernelbenchx.measure.input_layout import FIXED
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.measure.timed_runners import TimedRunners
from kernelbenchx.replay.plan import Replayable
from kernelbenchx.worker import wire
from kernelbenchx.worker.timing.layout import Layout


@dataclass(frozen=True)
class Walled:
    """A timing case of a witness that cannot be replayed."""

    task: str
    case: str
    obstacle: str
    """Why."""


@dataclass
class Usual(RunnerClient):
    """A process with a witness in it, in the place of a baseline.

    Like one it is trusted: it is not stopped between its turns, and what the judge's clock itself
    costs is known from it.
    """

    def ask(
        self,
        header: dict[str, Any],
        limit_s: float,
        body: bytes = b"",
        descriptors: tuple[int, ...] = (),
    ) -> wire.WireMessage:
        """As asked, except that it has its task already, and nothing was compiled by torch."""
        if header["op"] in ("load", "record"):
            return wire.WireMessage({})
        return super().ask(header, limit_s, body, descriptors)


@dataclass
class OneMore(RunnerClient):
    """A process with a witness in it as with any submission, with a slot for one call more."""

    def open(self, layout: Layout) -> None:
        """One slot more than asked for."""
        super().open(replace(layout, slots=layout.slots + 1))


@dataclass
class WallCrew:
    """The processes of one task; they are gone when the stack is left."""

    candidates: Sequence[RunnerClient]
    baselines: Sequence[Usual]
    stack: ExitStack = field(default_factory=ExitStack)

    @property
    def everybody(self) -> list[RunnerClient]:
        """On both sides."""
        return [*self.candidates, *self.baselines]


@dataclass
class Rounds(JudgeClock):
    """The judge's clock around several rounds of the same calls, as one time."""

    rounds: int = 1
    usual_slots: int = 0
    """Without the one for the call more."""
    shown: set[tuple[str, int]] = field(default_factory=set)
    """Who has had a result in each of so many slots."""

    @classmethod
    def around(cls, wall: JudgeClock, rounds: int) -> "Rounds":
        """In the place of one that has measured nothing yet."""
        rooms = [*wall.snapshots, torch.empty_like(wall.snapshots[0])]
        return cls(
            wall.clock, rooms, wall.now_ns, wall.written, unjudged=wall.unjudged,
            chance=wall.chance, rounds=rounds,
        )  # fmt: skip

    def elapsed_us(
        self,
        runner: RunnerClient,
        how: str,
        inputs: Sequence[Sequence[torch.Tensor]],
        seeds: Sequence[int] | None = None,
        judged: int | Sequence[int] = 0,
    ) -> tuple[float, float]:
        """The mean over rounds where calls are made one after another; all else is done once."""
        self.usual_slots = len(inputs)
        if how != "batch":
            return super().elapsed_us(runner, how, inputs, seeds, judged)
        short = self.rounds - isinstance(runner, OneMore)
        found = [
            JudgeClock.elapsed_us(self, runner, how, inputs, seeds, judged) for _ in range(short)
        ]
        if isinstance(runner, OneMore):
            found.append(self._longer_us(runner, inputs, seeds, judged))
        return fmean(ours for ours, _ in found), fmean(claimed for _, claimed in found)

    def _longer_us(
        self,
        runner: OneMore,
        inputs: Sequence[Sequence[torch.Tensor]],
        seeds: Sequence[int] | None,
        judged: int | Sequence[int],
    ) -> tuple[float, float]:
        """The last slot holds what the first holds, in memory of its own.

        What is around so many calls is known from runs without calls in the same process. They come
        before the calls, since they fill arguments anew, in which results may lie; only the first
        time there is nothing yet in the last slots that could be shown without a call.
        """
        more = [*inputs, inputs[0]]
        known = (runner.name, len(more)) in self.shown
        self.shown.add((runner.name, len(more)))
        if known:
            super().elapsed_us(runner, "null", more, judged=judged)
        found = super().elapsed_us(runner, "batch", more, seeds and [*seeds, seeds[0]], judged)
        kept = self.drawn, self.spare, dict(self.arguments)
        if not known:
            super().elapsed_us(runner, "null", more, judged=judged)
        self.drawn, self.spare, self.arguments = kept
        return found

    def _pick_slots(self, count: int, judged: int | Sequence[int]) -> tuple[list[int], int]:
        """Nobody looks at the one call more."""
        return super()._pick_slots(min(count, self.usual_slots), judged)


@dataclass
class WallTiming(CaseTiming):
    """One case, measured in rounds."""

    rounds: int = 1

    def _sampling(self, plan: Replayable | None) -> Sampling:
        made = super()._sampling(plan)
        made._wall = Rounds.around(made._wall, self.rounds)
        return made


def timed_walled(
    place: Place, inputs: CaseInputs, rounds: int, crew: WallCrew, obstacle: str
) -> TimedCase | Failed | Unmeasured:
    """One case with the witness on both sides, as in an evaluation, in blocks of twenty."""
    return measured(
        WallTiming(
            inputs=replace(inputs, bounds=FIXED),
            runners=TimedRunners(crew.candidates, (), {"eager": crew.baselines}),
            card=place.card,
            clock=place.clock,
            chance=place.chance,
            rung=place.rung,
            now_ns=place.now_ns,
            obstacle=obstacle,
            rounds=rounds,
        )
    )
