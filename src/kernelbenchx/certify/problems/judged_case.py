"""A case of a problem with its budgets, computed once: many answers are judged against them."""

from dataclasses import dataclass
from functools import cached_property

import torch

from kernelbenchx.evaluate.calls import Drawn
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence, Rung, Verdict
from kernelbenchx.spec.outputs import Leaf
from kernelbenchx.spec.problem import Problem

Answer = tuple[torch.Tensor, ...]
RUNG: Rung = "cuda"
"""Its budgets are the narrower ones."""


@dataclass(frozen=True)
class JudgedCase:
    """One case, and whether its contract takes an answer."""

    task: Problem
    drawn: Drawn

    @property
    def name(self) -> str:
        """Of the case."""
        return self.drawn.case.name

    @property
    def values(self) -> str:
        """The set that the case belongs to: how its inputs are drawn."""
        return str(self.drawn.case.params["values"])

    @property
    def exact(self) -> Answer:
        """The right answer in float64."""
        return self.drawn.truth.exact

    @property
    def native(self) -> Answer:
        """Torch's own answer, in the precision of the problem."""
        return tuple(leaf.value for leaf in self.drawn.truth.native.leaves)

    def rounded(self, wide: Answer) -> Answer:
        """An answer in float64 as a kernel would return it."""
        return tuple(
            value.to(own.dtype) for value, own in zip(wide, self.native, strict=False)
        )  # fmt: skip

    def verdict(self, answer: Answer) -> Verdict:
        """What the contract says of it."""
        if [one.shape for one in answer] != [one.shape for one in self.native]:
            return Verdict(ok=False, worst=float("inf"), detail="the outputs have other shapes")
        contract = self.task.contract
        if isinstance(contract, Close):
            return contract.judged(answer, self.exact, self._budgets, RUNG)
        call = self.drawn.call
        return contract.judge(Evidence(call, (answer,), self.exact, self.native, RUNG))

    @cached_property
    def _budgets(self) -> Answer:
        contract = self.task.contract
        assert isinstance(contract, Close)
        dtypes = [value.dtype for value in self.native]
        return contract.budgets(self.drawn.call, self.exact, dtypes, RUNG)


def values_of(leaves: tuple[Leaf, ...]) -> Answer:
    """The tensors of what a call gave."""
    return tuple(leaf.value for leaf in leaves)
