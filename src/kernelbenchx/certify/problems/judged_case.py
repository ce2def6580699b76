"""A case of a problem with its budgets, computed once: many answers are judged against them."""

from dataclasses import dataclass
from functools import cached_property

import torch

from kernelbenchx.evaluate.calls import DrawnCase
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence, Rung, Verdict
from kernelbenchx.spec.outputs import Leaf
from kernelbenchx.spec.problem import Problem
from kernelbenchx.spec.ulps import TF32_ROUNDOFF, roundoff

Answer = tuple[torch.Tensor, ...]
RUNG: Rung = "cuda"
"""Its budgets are the narrower ones."""


@dataclass(frozen=True)
class JudgedCase:
    """One case, and whether its contract takes an answer."""

    task: Problem
    drawn: DrawnCase

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

    def round_answer(self, wide: Answer) -> Answer:
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
            return contract.judge_with_budgets(answer, self.exact, self._budgets, RUNG)
        call = self.drawn.call
        return contract.judge(Evidence(call, (answer,), self.exact, self.native, RUNG))

    def is_right(self, wide: Answer) -> bool:
        """Whether an answer in float64 is off by no more than rounding in float64 explains.

        A bias in front of a normalization moves the last bits and changes nothing: what is wrong
        has to be wrong in exact arithmetic.
        """
        if [one.shape for one in wide] != [one.shape for one in self.exact]:
            return False
        contract = self.task.contract
        if not isinstance(contract, Close):
            return all(map(torch.equal, wide, self.exact))
        own = TF32_ROUNDOFF if contract.tf32 else roundoff(self.task.dtype)
        share = roundoff(torch.float64) / own
        narrow = tuple(budget * share for budget in self._budgets)
        return contract.judge_with_budgets(wide, self.exact, narrow, RUNG).ok

    @cached_property
    def _budgets(self) -> Answer:
        contract = self.task.contract
        assert isinstance(contract, Close)
        dtypes = [value.dtype for value in self.native]
        return contract.budgets(self.drawn.call, self.exact, dtypes, RUNG)


def values_of(leaves: tuple[Leaf, ...]) -> Answer:
    """The tensors of what a call gave."""
    return tuple(leaf.value for leaf in leaves)
