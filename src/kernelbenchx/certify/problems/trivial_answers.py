"""Answers without the work: every set of cases of a problem must reject each of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import torch

from kernelbenchx.certify.certificate import Kill
from kernelbenchx.certify.problems.judged_case import Answer, JudgedCase, values_of
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.spec.call import Call


def kill_trivial(cases: Sequence[JudgedCase], seed: int) -> list[Kill]:
    """Each trivial answer on each set of cases: zeros, constants, other inputs, other weights."""
    kills = []
    ordered = sorted(cases, key=lambda one: one.values)
    for values, group in groupby(ordered, key=lambda one: one.values):
        caught: dict[str, str] = {}
        for case in group:
            for name, answer in _trivial_answers(case, seed):
                caught.setdefault(name, "")
                if not caught[name] and not case.verdict(answer).ok:
                    caught[name] = case.name
        kills += [
            Kill(name=f"{name}, {values} inputs", kind="sabotage", killed=bool(by), by=by)
            for name, by in caught.items()
        ]
    return kills


def _trivial_answers(case: JudgedCase, seed: int) -> Iterator[tuple[str, Answer]]:
    """What a constant is, is learnt from another input: it must not depend on this one."""
    call = case.drawn.call
    other = case.task.draw(case.drawn.case, derive_seed(seed, case.name, "another draw"))
    stale = _answer(case, replace(call, args=other.args, kwargs=other.kwargs))
    yield "zeros", tuple(torch.zeros_like(own) for own in case.native)
    yield "the mean of another answer", tuple(torch.full_like(one, _mean(one)) for one in stale)
    yield "one element of another answer", tuple(map(_first_everywhere, stale))
    yield "the answer to another input", stale
    if any(value.is_floating_point() for value in call.state.values()):
        yield "the answer with other weights", _answer(case, replace(call, state=other.state))


def _answer(case: JudgedCase, call: Call) -> Answer:
    return case.round_answer(values_of(case.task.exact(call).leaves))


def _mean(value: torch.Tensor) -> float | int:
    finite = value[torch.isfinite(value)].double()
    mean = finite.mean().item() if finite.numel() else 0.0
    return mean if value.is_floating_point() else round(mean)


def _first_everywhere(value: torch.Tensor) -> torch.Tensor:
    if not value.numel():
        return value
    return value.flatten()[0].expand(value.shape).clone()
