"""A published problem: its file runs in a sandbox, and calls come back with their answers."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import torch

from kernelbenchx.core.errors import KbxError
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.modules import ModuleCall
from kernelbenchx.spec.outputs import Leaf
from kernelbenchx.spec.perturbed import Perturbed
from kernelbenchx.spec.problem import DTYPES, Precision, Problem
from kernelbenchx.spec.task import Outputs


class BadProblem(KbxError):
    """The problem's file failed; the message says how, in one line."""


@dataclass(frozen=True)
class CallRequest:
    """One call of a problem."""

    values: str
    inputs_seed: int
    weights_seed: int
    weights: str = "drawn"
    precision: Precision = "fp32"
    moves: bool = True
    """Whether the budget is asked for."""


@dataclass(frozen=True)
class Probe:
    """What the file says of itself at reduced sizes."""

    sizes: Mapping[str, Any]
    values: tuple[str, ...]
    """Kinds of inputs whose answer is finite."""
    random: bool
    """Whether two equal calls differ."""
    constants: tuple[str, ...]
    weights: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Answer:
    """What the problem's own module gives."""

    native: tuple[Leaf, ...]
    truth: tuple[torch.Tensor, ...]
    moves: tuple[torch.Tensor, ...]
    """How far rounding every step moves each element."""


@dataclass(frozen=True)
class AnsweredCall(ModuleCall):
    """A call that carries its answer; orders take arguments and weights of it alone."""

    answer: Answer | None = field(default=None, compare=False, repr=False)

    @property
    def known(self) -> Answer:
        """The answer, without which nothing can be judged."""
        if self.answer is None:
            raise BadProblem("a call of a published problem came without its answer")
        return self.answer


Drawer = Callable[[str, CallRequest], AnsweredCall]
Prober = Callable[[str], Probe]
_SOURCES: list[tuple[Drawer, Prober]] = []


@contextmanager
def drawing_by(drawer: Drawer, prober: Prober) -> Iterator[None]:
    """Inside of this, problems draw their calls in that way; it gets the text of the file."""
    entry = (drawer, prober)
    _SOURCES.append(entry)
    try:
        yield
    finally:
        _SOURCES.remove(entry)


def _source() -> tuple[Drawer, Prober]:
    if not _SOURCES:
        raise BadProblem(
            "calls of a published problem are drawn in a sandbox, which was not started here; "
            "`kbx audit` shows its sizes"
        )
    return _SOURCES[-1]


@dataclass(frozen=True)
class GivenMoves(Perturbed):
    """The local scale that came with the call."""

    def scale(self, call: Call, roundoff: float) -> tuple[torch.Tensor, ...]:
        """In units of the roundoff."""
        assert isinstance(call, AnsweredCall)
        return tuple(one / roundoff for one in call.known.moves)


@dataclass(frozen=True, kw_only=True)
class ImportedProblem(Problem):
    """`reference` has the signatures of the published module and computes nothing."""

    text: str
    """Of the published file."""

    @property
    def probe(self) -> Probe:
        """Its reduced sizes, and what was seen there."""
        return _source()[1](self.text)

    @property
    def constants(self) -> tuple[str, ...]:
        """Parameters that are constants in a fresh module."""
        return self.probe.constants

    def at(self, precision: Precision) -> "ImportedProblem":
        """The same problem in another precision."""
        contract = given_contract(self.reference, precision)
        return replace(self, precision=precision, contract=contract, dtypes=(DTYPES[precision],))

    def cases(self, seed: int) -> tuple[Case, ...]:  # noqa: ARG002 - the sizes are those of the file
        """One for each kind of inputs, at the reduced sizes."""
        return tuple(Case({"values": kind}, needs=frozenset()) for kind in self.probe.values)

    def draw(self, case: Case, seed: int, device: str = "cpu") -> AnsweredCall:
        """Inputs and weights with their answer."""
        weights = seed if self.weights_seed is None else self.weights_seed
        return self.draw_with(case, seed, weights, device)

    def draw_with(self, case: Case, inputs: int, weights: int, device: str = "cpu") -> AnsweredCall:
        """Seeds of their own for inputs and for weights."""
        values = case.params["values"]
        request = CallRequest(values, inputs, weights, self.weights, self.precision)
        call = _source()[0](self.text, request)
        if device == "cpu":
            return call
        return cast(AnsweredCall, call.map_tensors(lambda tensor: tensor.to(device)))

    def native(self, call: Call, device: str | None = None) -> Outputs:  # noqa: ARG002
        """As the module gave them."""
        assert isinstance(call, AnsweredCall)
        leaves = call.known.native
        return Outputs(leaves, ("",) * len(leaves), len(leaves))

    def exact(self, call: Call, device: str | None = None) -> Outputs:
        """As the module gave them in float64."""
        assert isinstance(call, AnsweredCall)
        native = self.native(call, device)
        leaves = tuple(
            replace(leaf, value=value)
            for leaf, value in zip(native.leaves, call.known.truth, strict=True)
        )
        return replace(native, leaves=leaves)

    def outputs(self, function: Callable[..., Any], call: Call) -> Outputs:  # noqa: ARG002
        """Never: there is no reference to call in this process."""
        raise BadProblem("the module of a published problem does not run in this process")


def given_contract(model: Callable[..., Any], precision: Precision) -> Close:
    """As `contract_at`, with the moves that come with each call."""
    compute = DTYPES[precision] if DTYPES[precision].itemsize < 4 else None
    scale = GivenMoves(model)
    return Close(scale=scale, factor=16.0, tf32=precision == "tf32", compute=compute)


def imported_problem(model: type, text: str, level: int, number: int) -> ImportedProblem:
    """`model` has the signatures of the published module."""
    return ImportedProblem(
        reference=model,
        inputs=_no_inputs,
        cost=_no_cost,
        contract=given_contract(model, "fp32"),
        checks=(),
        timings=(),
        mutants=(),
        dtypes=(DTYPES["fp32"],),
        difficulty=0,
        level=level,
        number=number,
        ranges={},
        text=text,
    )


def _no_inputs(*_: Any, **__: Any) -> Call:
    raise BadProblem("a published problem draws its inputs in its own sandbox")


def _no_cost(**_: Any) -> Cost:
    """Unknown; all of its calls count alike."""
    return Cost(flops=1, bytes=1)
