"""What a task is: one object per task file."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, cast

import torch

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.contract import Contract
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.float32_compute import in_wide_numbers
from kernelbenchx.spec.huge_call import HugeCall
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant, Patch
from kernelbenchx.spec.outputs import Leaf, flatten
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Space


@dataclass(frozen=True)
class Outputs:
    """What one call gave: leaves in order, and which of them are an argument itself."""

    leaves: tuple[Leaf, ...]
    aliases: tuple[str, ...]
    """For each returned leaf the name of the argument it shares its storage with, or ``""``."""
    returned: int
    """How many leaves were returned; the rest are declared written arguments."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """Statement, reference, inputs, cases, contract, cost and mutants of one task."""

    reference: Callable[..., Any]
    """A torch function, or an `nn.Module` class for tasks given as a module; never random."""
    inputs: Callable[..., Call]
    """`inputs(draw, **case.params)`: the arguments, a pure function of case and seed."""
    cost: Callable[..., Cost]
    """`cost(**case.params)`."""
    contract: Contract
    timings: tuple[Case, ...]
    mutants: tuple[Mutant | Patch, ...]
    dtypes: tuple[torch.dtype, ...]
    """Every dtype of a floating or complex main input that the checks cover."""
    difficulty: int
    """1 (one pass, elementwise) to 5 (decompositions, transforms), as published."""
    space: Space | None = None
    """Which calls are valid; a run judges its corners and what its seed draws."""
    checks: tuple[Case, ...] = ()
    """Calls that are the same in every run; for tasks without a space, all of them."""
    huge: HugeCall | None = None
    """A call beyond 2^31 elements, for tasks whose slices can be judged alone."""
    promises: tuple[Promise, ...] = ()
    """Sentences of the statement that follow its description."""
    eager: Callable[..., Any] | None = None
    """What torch's user would call, where the reference is something else.

    It computes in wider numbers than the case has, or leaves out what is drawn at random. Its own
    answer must be right in every timing case, or a submission would be timed against less work.
    """
    truth: Callable[..., Any] | None = None
    """Exact answer from the *native* arguments; without it, the reference on widened ones."""
    writes: tuple[str, ...] = ()
    """Arguments that a call may write; all others must come back bit-identical."""
    inert: tuple[str, ...] = ()
    """Arguments without effect on values: accepted, named as such, not tested."""
    randomness: Literal["none", "randint", "generator"] = "none"
    """Where a submission may take a seed from."""
    data_movement: bool = False
    """Whether moving elements is the work: then torch that copies piece by piece computes."""
    audit: tuple[str, ...] = ()
    """Codes of what was unsound in the published task; each is covered by a mutant."""
    languages: tuple[str, ...] = ("triton",)

    @property
    def form(self) -> Literal["function", "module"]:
        """Whether a submission is a function or a class with `forward`."""
        return "module" if inspect.isclass(self.reference) else "function"

    @property
    def baseline(self) -> Callable[..., Any]:
        """What submissions are timed against."""
        return self.eager or self.reference

    @property
    def faithful(self) -> Callable[..., Any]:
        """Torch's own program that keeps the contract, which eager need not: the reference, or,
        where that leaves out what is drawn at random, eager in wide numbers."""
        return self.reference if self.randomness == "none" else in_wide_numbers(self.baseline)

    @property
    def tf32(self) -> bool:
        """Whether float32 products may round to TF32, says the contract or the one inside of it."""
        inner = getattr(self.contract, "close", self.contract)
        return bool(getattr(inner, "tf32", False))

    @property
    def entry(self) -> str:
        """The name that a submission must define."""
        return self.reference.__name__

    @property
    def signature(self) -> inspect.Signature:
        """Of the reference; for a module, of its `forward` without `self`."""
        if self.form == "function":
            return inspect.signature(self.reference)
        full = inspect.signature(self.reference.forward)  # type: ignore[attr-defined]
        return full.replace(parameters=list(full.parameters.values())[1:])

    def draw(self, case: Case, seed: int, device: str = "cpu") -> Call:
        """The arguments of a case: the same for the same seed."""
        return self.inputs(Draw.from_seed(seed, device), **case.params)

    def cases(self, seed: int) -> tuple[Case, ...]:
        """The calls of a run: fixed ones first, then what its seed draws from the space."""
        drawn = self.space.cases(seed) if self.space is not None else ()
        return self.checks + drawn

    @property
    def wrong_answers(self) -> tuple[Mutant | Patch, ...]:
        """Everything that the cases must reject, that of the promises too."""
        return self.mutants + tuple(promise.mutant for promise in self.promises)

    def calls(self, case: Case) -> int:
        """How often a case is called when it is checked."""
        return max(self.contract.calls, case.calls)

    def native(self, call: Call, device: str | None = None) -> Outputs:
        """The reference's outputs in its own dtypes, computed on a copy where its tensors lie."""
        return self.outputs(self.reference, call.copy().concrete(device))

    def exact(self, call: Call, device: str | None = None) -> Outputs:
        """The outputs in float64."""
        if self.truth is not None:
            return self.outputs(self.truth, call.copy().concrete(device))
        return self.outputs(self.reference, call.widen().concrete(device))

    def outputs(self, function: Callable[..., Any], call: Call) -> Outputs:
        """Run and flatten; written arguments follow in the order of `writes`."""
        result = _run(function, call)
        arguments = self.bound(call)
        leaves = flatten(result)
        aliases = tuple(_alias(leaf.value, arguments) for leaf in leaves)
        return Outputs(leaves + self.collect_written(call), aliases, len(leaves))

    def collect_written(self, call: Call) -> tuple[Leaf, ...]:
        """The tensors that the call may write, in the order of `writes`; those of a tuple each."""
        arguments = self.bound(call)
        found = (flatten(arguments.get(name), name) for name in self.writes)
        return tuple(leaf for leaves in found for leaf in leaves if leaf.kind == "tensor")

    def bound(self, call: Call) -> dict[str, Any]:
        """Arguments by name; var-positional ones keep their tuple."""
        bound = self.signature.bind(*call.args, **call.kwargs)
        return {**bound.arguments, **call.state}

    def tensor_names(self, call: Call) -> tuple[str, ...]:
        """The argument that each tensor of the call belongs to, in the order of `Call.tensors`."""
        names: dict[int, str] = {}
        for name, value in self.bound(call).items():
            for item in value if isinstance(value, tuple | list) else (value,):
                if isinstance(item, torch.Tensor):
                    names.setdefault(id(item), name)
        return tuple(names.get(id(tensor), "?") for tensor in call.tensors())


def _run(function: Callable[..., Any], call: Call) -> Any:
    if not inspect.isclass(function):
        return function(*call.args, **call.kwargs)
    module = cast(torch.nn.Module, function(*call.init))
    wide = any(t.dtype == torch.float64 for t in call.state.values())
    module = (module.double() if wide else module).to(call.device)
    module.load_state_dict(dict(call.state))
    with torch.no_grad():
        return module(*call.args, **call.kwargs)


def _alias(value: torch.Tensor, arguments: dict[str, Any]) -> str:
    if value.numel() == 0:
        return ""
    pointer = value.untyped_storage().data_ptr()
    for name, argument in arguments.items():
        for item in argument if isinstance(argument, tuple | list) else (argument,):
            if not isinstance(item, torch.Tensor) or item.numel() == 0:
                continue
            if item.untyped_storage().data_ptr() == pointer:
                return name
    return ""
