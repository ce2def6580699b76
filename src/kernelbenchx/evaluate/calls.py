"""Plans the calls of a submission: every case, repeated as its contract asks, shuffled."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import torch

from kernelbenchx import catalog
from kernelbenchx.core.argument_binding import AS_IT_IS, EntryBinding
from kernelbenchx.core.record import to_plain
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.trivial_answers import passes_trivially
from kernelbenchx.judge.correctness import CaseTruth, truth_of
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.imported_problem import ImportedProblem
from kernelbenchx.spec.required_scopes import resolve_needs
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.ablation import Poison
from kernelbenchx.worker.binding import NotTaken, arrange
from kernelbenchx.worker.data_flow import SMALL_BYTES


@dataclass(frozen=True)
class DrawnCase:
    """A case with its arguments and its true outputs."""

    case: Case
    call: Call
    truth: CaseTruth
    needs: frozenset[Scope] = frozenset()
    """Scopes beyond `core` that the case asks for; set by `drawn_cases` only."""
    at: int = 0
    """Its position in the task's list of cases."""

    @property
    def dtype(self) -> str:
        """Of the inputs: what the case's option says, or that of the first floating-point tensor,
        or of the first tensor."""
        named = self.case.params.get("dtype")
        tensors = self.call.tensors()
        floating = [one.dtype for one in tensors if one.dtype.is_floating_point]
        found = [named] if isinstance(named, torch.dtype) else floating
        found = found or [one.dtype for one in tensors]
        return str(found[0]).removeprefix("torch.") if found else ""

    _trivial: list[bool] = field(default_factory=list, compare=False, repr=False)

    def is_trivial(self, task: Task) -> bool:
        """Whether an answer without any work passes: computed once, when it is first asked."""
        if not self._trivial:
            calls = task.calls(self.case)
            self._trivial.append(passes_trivially(task, self.call, self.truth, calls))
        return self._trivial[0]


@dataclass(frozen=True)
class Slot:
    """One call of a worker: which case, which repetition, with or without kernels."""

    drawn: DrawnCase
    repetition: int = 0
    ablate: bool = False
    poison: Poison = ""
    """With `ablate`: what launches leave behind instead of nothing."""
    again: bool = False
    """Other values in the memory of an earlier call of the same case."""

    @property
    def call(self) -> Call:
        """The arguments to send."""
        return self.drawn.call.repeat(self.repetition)


_DRAWS = 20
"""How often a call without kernels is drawn until its answer is not trivial."""
_KEPT = 512
"""Tasks of a run whose truths are kept: more than there are, also where feedback has calls of its
own; those of earlier runs give way."""


@lru_cache(maxsize=_KEPT)
def cases_of(name: str, seed: int) -> tuple[Case, ...]:
    """Fixed calls and those that the run's seed draws from the task's space."""
    return catalog.load(name).cases(derive_seed(seed, name, "space"))


@lru_cache(maxsize=_KEPT)
def drawn_cases(name: str, seed: int) -> tuple[DrawnCase, ...]:
    """All check cases of a task: the same for every submission of a run, so computed once."""
    task = catalog.load(name)
    drawn = [
        (case, task.draw(case, derive_seed(seed, name, case.name))) for case in cases_of(name, seed)
    ]
    return tuple(
        DrawnCase(case, call, truth_of(task, call), needs, at)
        for at, ((case, call), needs) in enumerate(
            zip(drawn, resolve_needs(task, drawn), strict=True)
        )
    )


def why_not_taken(binding: EntryBinding, call: Call) -> str:
    """Why a submission cannot be given a call; empty if it can."""
    form = to_plain(binding)
    try:
        arrange(form["call"], call.args, call.kwargs)
        arrange(form["init"], call.init, {})
    except NotTaken as error:
        return str(error)
    return ""


@lru_cache(maxsize=_KEPT)
def ablated_cases(name: str, seed: int, binding: EntryBinding = AS_IT_IS) -> tuple[DrawnCase, ...]:
    """Fresh arguments for calls without kernels, one in each dtype of ordinary cases.

    Which options they have does not depend on the seed. In the first dtype it is the largest call
    whose answer differs from unwritten memory and from every argument; in others a cheap one. With
    the binding of a submission that lacks arguments, only calls that it can be given.
    """
    task = catalog.load(name)
    ordinary = [one for one in drawn_cases(name, seed) if one.needs <= {Scope.SCALE}]
    taken = [one for one in ordinary if not why_not_taken(binding, one.call)]
    chosen = taken or ordinary or list(drawn_cases(name, seed))
    first, *others = dict.fromkeys(one.dtype for one in chosen)
    largest = sorted(chosen, key=lambda one: _count_bytes(task, one.case), reverse=True)
    found = _draw_ordinary_case(name, seed, binding, first) or _draw_nontrivial_case(
        name, seed, [one.case for one in largest]
    )
    if task.contract.calls > 1:
        return (found,)
    more = []
    for dtype in others:
        cheap = [one.case for one in reversed(largest) if one.dtype == dtype]
        another = _draw_ordinary_case(name, seed, binding, dtype, cheap=True)
        more.append(another or _draw_nontrivial_case(name, seed, cheap))
    return (found, *(one for one in more if not one.is_trivial(task)))


def _draw_ordinary_case(
    name: str, seed: int, binding: EntryBinding, dtype: str, *, cheap: bool = False
) -> DrawnCase | None:
    """A call of a space with ordinary options, of several tiles; None if none has a non-trivial
    answer or can be given."""
    task = catalog.load(name)
    if task.space is None:
        return None
    chance = random.Random(derive_seed(seed, name, "ablated"))
    if "dtype" in task.space.by_name and dtype not in (
        one.name for one in task.space.by_name["dtype"].options
    ):
        return None
    cases = task.space.plain_cases(chance, dtype)
    cases = tuple(one for one in cases if task.space.spans_tiles(one.params)) or cases
    ordered = sorted(cases, key=lambda one: _count_bytes(task, one), reverse=not cheap)
    for number, case in enumerate(ordered):
        found = _redraw_case(name, case, seed, f"ablated {dtype} {number}")
        if not why_not_taken(binding, found.call) and not found.is_trivial(task):
            return found
    return None


def _draw_nontrivial_case(name: str, seed: int, cases: Sequence[Case]) -> DrawnCase:
    """The first of these cases with a non-trivial answer, or the last one drawn."""
    task = catalog.load(name)
    # A published problem has a few kinds of calls, and a process draws each.
    draws = len(cases) if isinstance(task, ImportedProblem) else _DRAWS
    for number in range(draws):
        found = _redraw_case(name, cases[number % len(cases)], seed, f"ablated {number}")
        if not found.is_trivial(task):
            break
    return found


@lru_cache(maxsize=_KEPT)
def repeated_case(name: str, seed: int, binding: EntryBinding = AS_IT_IS) -> DrawnCase:
    """Other arguments for a case that is called anyway, to be written into the same memory."""
    drawn = drawn_cases(name, seed)
    given = [one for one in drawn if not why_not_taken(binding, one.call)] or drawn
    # A core call: in place or strided, a submission may take another path than the one it caches.
    plain = [one for one in given if not one.needs] or [one for one in given if not one.case.needs]
    ordinary = (plain or given)[0].case
    return _redraw_case(name, ordinary, seed, "again", same_module=True)


def _redraw_case(
    name: str, case: Case, seed: int, purpose: str, *, same_module: bool = False
) -> DrawnCase:
    """Other inputs; with `same_module`, for the module that the case itself is called with."""
    task = catalog.load(name)
    if same_module and isinstance(task, ImportedProblem):
        # Its answer comes with the call: other inputs alone would have no truth.
        own = derive_seed(seed, name, case.name)
        answered = task.draw_with(case, derive_seed(seed, name, purpose), own)
        return DrawnCase(case, answered, truth_of(task, answered))
    call = task.draw(case, derive_seed(seed, name, purpose))
    if same_module and task.form == "module":
        first = next(one.call for one in drawn_cases(name, seed) if one.case == case)
        call = replace(first, args=call.args, kwargs=call.kwargs)
    return DrawnCase(case, call, truth_of(task, call))


def plan_slots(
    name: str,
    seed: int,
    order: int,
    only: frozenset[str] = frozenset(),
    binding: EntryBinding = AS_IT_IS,
) -> tuple[Slot, ...]:
    """Calls in an order that the submission cannot foresee; one in each dtype without kernels.

    One case comes again with other values in the memory of its first call. `only` names the cases
    to call, with one call without kernels; without a name it is all of them.
    """
    task = catalog.load(name)
    planned = [
        Slot(drawn, repetition)
        for drawn in drawn_cases(name, seed)
        if not only or drawn.case.name in only
        for repetition in range(task.calls(drawn.case))
    ]
    lacking = binding if binding.lacks else AS_IT_IS
    ablated = ablated_cases(name, seed, lacking)[: 1 if only else None]
    planned += [
        Slot(without, number, ablate=True)
        for without in ablated
        for number in range(task.contract.calls)
    ]
    if task.contract.calls == 1:
        again = repeated_case(name, seed, lacking)
        planned += [Slot(again, again=True)] if not only or again.case.name in only else []
    return tuple(planned[number] for number in shuffle_calls(planned, range(len(planned)), order))


def shuffle_calls(slots: Sequence[Slot], numbers: Sequence[int], order: int) -> list[int]:
    """Numbers of calls in an unpredictable order; a repeated call comes after its first."""
    found = list(numbers)
    random.Random(order).shuffle(found)
    for at, number in enumerate(found):
        if slots[number].again:
            first = find_first_call(slots, slots[number])
            if first in found and found.index(first) > at:
                later = found.index(first)
                found[at], found[later] = found[later], found[at]
            break
    return found


def calls_without(slots: Sequence[Slot], fatal: int) -> list[int]:
    """The other calls; where one without kernels was fatal, no further one of these, and where one
    with kernels was, no repetition of its case, which is lost anyway."""
    ended = slots[fatal]

    def is_left(slot: Slot) -> bool:
        if ended.ablate or slot.ablate:
            return not (ended.ablate and slot.ablate)
        return slot.drawn.case.name != ended.drawn.case.name

    return [number for number, slot in enumerate(slots) if number != fatal and is_left(slot)]


def poisoned_slots(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The calls without kernels again, with launches that poison what they could write.

    Small tensors are spared in a second round, where the answer is larger than those.
    """
    without = [slot for slot in slots if slot.ablate]
    answers = [one for slot in without for one in slot.drawn.truth.native.leaves]
    large = any(
        isinstance(v := one.value, torch.Tensor) and v.nbytes > SMALL_BYTES for one in answers
    )
    kinds: tuple[Poison, ...] = ("all", "large") if large else ("all",)
    return tuple(replace(slot, poison=kind) for kind in kinds for slot in without)


def find_first_call(slots: Sequence[Slot], again: Slot) -> int:
    """The position of the call whose memory is used again."""
    return next(
        number
        for number, slot in enumerate(slots)
        if slot.drawn.case == again.drawn.case and not slot.ablate and not slot.again
    )


def one_per_dtype(name: str, seed: int, most: int = 4) -> tuple[Slot, ...]:
    """The largest ordinary case of each combination of dtypes, as the task lists them: what a
    compiler has to see. Where no case is ordinary, the largest."""
    chosen: dict[tuple[str, ...], DrawnCase] = {}
    for drawn in drawn_cases(name, seed):
        key = tuple(str(tensor.dtype) for tensor in drawn.call.tensors())
        chosen[key] = max(chosen.get(key, drawn), drawn, key=_plain_and_large)
    return tuple(Slot(drawn) for drawn in list(chosen.values())[:most])


def _plain_and_large(drawn: DrawnCase) -> tuple[bool, int]:
    return not drawn.needs, sum(tensor.numel() for tensor in drawn.call.tensors())


def _count_bytes(task: Task, case: Case) -> int:
    return task.cost(**case.params).bytes
