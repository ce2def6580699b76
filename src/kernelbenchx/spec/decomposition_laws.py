"""Laws that a decomposition obeys, each with a budget per element in units of roundoff."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import torch

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.element_comparison import INF, format_element, unravel
from kernelbenchx.spec.ulps import FLUSH, roundoff

Factors = tuple[torch.Tensor, ...]
When = Callable[[Call], bool]
Growth = float | Callable[[Call], float]


class Law(Protocol):
    """One thing that every valid answer has in common."""

    @property
    def when(self) -> When | None:
        """For which calls it holds; None: for all."""
        ...

    @property
    def needs_truth(self) -> bool:
        """Whether it looks at the values of the reference."""
        ...

    def judge(self, evidence: Evidence, factors: Factors) -> Verdict:
        """`factors` are the outputs in float64 or complex128."""
        ...


@dataclass(frozen=True)
class Reconstructs:
    """The factors multiply to the target."""

    product: Callable[[Factors], torch.Tensor]
    target: Callable[[Call], torch.Tensor]
    """From the widened call."""
    growth: Growth
    """Roundoffs of the local norm that an error may have."""
    by: Literal["columns", "rows", "matrix", "gram"] = "columns"
    """Which norm is local. `columns` suits QR, `matrix` (each matrix of a batch its own) what is
    only stable as a whole, like an SVD; `gram` is for targets A^H A: the norms of both columns."""
    when: When | None = None

    needs_truth = False

    def judge(self, evidence: Evidence, factors: Factors) -> Verdict:
        """Difference to the target in units of growth * roundoff * norm."""
        target = self.target(evidence.call.widen().concrete())
        product = self.product(factors)
        if product.shape != target.shape:
            return _reject("the factors do not multiply to the shape of the input", 0)
        u = max(roundoff(v.dtype) for v in evidence.native if not _counts(v))
        budget = _evaluate_growth(self.growth, evidence.call) * u * _local(target, self.by) + FLUSH
        last = len(factors) - 1
        return _verdict((product, target, budget), "the factors do not multiply to the input", last)


@dataclass(frozen=True)
class Orthonormal:
    """Columns (or rows) of unit length, at right angles to each other."""

    output: int
    by: Literal["columns", "rows"] = "columns"
    growth: Growth | None = None
    """None: 16 + 2 m, where m is the length of the vectors."""
    when: When | None = None

    needs_truth = False

    def judge(self, evidence: Evidence, factors: Factors) -> Verdict:
        """Inner products against the identity."""
        q = factors[self.output] if self.by == "columns" else factors[self.output].mH
        gram = q.mH @ q
        identity = torch.eye(q.shape[-1], dtype=q.dtype, device=q.device).expand(gram.shape)
        growth = 16.0 + 2 * q.shape[-2]
        if self.growth is not None:
            growth = _evaluate_growth(self.growth, evidence.call)
        unit = growth * roundoff(evidence.native[self.output].dtype)
        budget = torch.full(gram.shape, unit, dtype=torch.float64, device=q.device)
        return _verdict((gram, identity, budget), f"{self.by} are not orthonormal", self.output)


@dataclass(frozen=True)
class Upper:
    """Exact zeros below the diagonal."""

    output: int
    when: When | None = None

    needs_truth = False

    def judge(self, evidence: Evidence, factors: Factors) -> Verdict:  # noqa: ARG002
        """Any other value there is wrong, however small."""
        below = torch.tril(factors[self.output], diagonal=-1)
        wrong = torch.tril(torch.ones_like(below, dtype=torch.bool), diagonal=-1) & (below != 0)
        return _judge_mask(wrong, factors[self.output], "not zero below the diagonal", self.output)


@dataclass(frozen=True)
class NonNegative:
    """No element below zero, none NaN."""

    output: int
    when: When | None = None

    needs_truth = False

    def judge(self, evidence: Evidence, factors: Factors) -> Verdict:  # noqa: ARG002
        """-0.0 is not below zero."""
        values = factors[self.output]
        return _judge_mask(~(values >= 0), values, "negative or NaN", self.output)


@dataclass(frozen=True)
class Descending:
    """Sorted along the last dimension, largest first."""

    output: int
    when: When | None = None

    needs_truth = False

    def judge(self, evidence: Evidence, factors: Factors) -> Verdict:  # noqa: ARG002
        """Equal neighbours are in order."""
        values = factors[self.output]
        wrong = torch.zeros_like(values, dtype=torch.bool)
        wrong[..., 1:] = ~(values[..., 1:] <= values[..., :-1])
        return _judge_mask(wrong, values, "larger than the element before it", self.output)


@dataclass(frozen=True)
class Filled:
    """What was written into arguments, after the first `count` outputs, is what was returned."""

    count: int
    when: When | None = None

    needs_truth = False

    def judge(self, evidence: Evidence, factors: Factors) -> Verdict:  # noqa: ARG002
        """Bit for bit; nothing to say where no argument was written."""
        outputs = evidence.outputs[0]
        for position, value in enumerate(outputs[self.count :]):
            if not torch.equal(value, outputs[position]):
                wrong = "what was written differs from what was returned"
                return _reject(wrong, self.count + position)
        return Verdict(ok=True, worst=0.0)

    def statement(self) -> str:
        """What a model is told."""
        return "tensors passed to be written hold what is returned"


@dataclass(frozen=True)
class Matches:
    """Values that are unique, in units of roundoff of the largest of their matrix.

    That is as much as a stable algorithm can promise for singular values and eigenvalues of
    Hermitian matrices: the small ones carry the absolute error of the largest.
    """

    output: int
    growth: Growth | None = None
    """None: 16 + 2 k, where k is the number of values."""
    when: When | None = None

    needs_truth = True

    def judge(self, evidence: Evidence, factors: Factors) -> Verdict:
        """Against the truth, each matrix of a batch with its own largest value."""
        values, truth = factors[self.output], evidence.truth[self.output]
        growth = 16.0 + 2 * (values.shape[-1] if values.dim() else 1)
        if self.growth is not None:
            growth = _evaluate_growth(self.growth, evidence.call)
        unit = growth * roundoff(evidence.native[self.output].dtype)
        size = truth.abs().double()
        largest = torch.cat([size, size.new_zeros((*size.shape[:-1], 1))], -1).amax(
            -1, keepdim=True
        )
        budget = (unit * largest + FLUSH).expand(truth.shape)
        return _verdict((values, truth, budget), "values differ from the exact ones", self.output)


def _counts(value: torch.Tensor) -> bool:
    """Pivots and other integers."""
    return not (value.dtype.is_floating_point or value.dtype.is_complex)


def _evaluate_growth(growth: Growth, call: Call) -> float:
    return float(growth) if isinstance(growth, int | float) else float(growth(call))


def _local(target: torch.Tensor, by: str) -> torch.Tensor:
    """The norm that counts for each element of the target."""
    size = target.abs().double()
    local: torch.Tensor
    if by == "columns":
        local = torch.linalg.vector_norm(size, dim=-2, keepdim=True)
    elif by == "rows":
        local = torch.linalg.vector_norm(size, dim=-1, keepdim=True)
    elif by == "gram":
        root = torch.diagonal(size, dim1=-2, dim2=-1).sqrt()
        local = root.unsqueeze(-1) * root.unsqueeze(-2)
    else:
        local = torch.linalg.vector_norm(size, dim=(-2, -1), keepdim=True)
    return local.expand(target.shape)


def _verdict(
    compared: tuple[torch.Tensor, torch.Tensor, torch.Tensor], wrong: str, output: int
) -> Verdict:
    """The largest error of (got, expected, budget) in units of the budget."""
    got, expected, budget = compared
    if got.shape != expected.shape:
        return _reject(f"{wrong}: the shape is another", output)
    if got.numel() == 0:
        return Verdict(ok=True, worst=0.0)
    ratio = torch.nan_to_num((got - expected).abs() / budget, nan=INF, posinf=INF)
    worst = float(ratio.max())
    if worst <= 1.0:
        return Verdict(ok=True, worst=worst)
    index = unravel(int(ratio.argmax()), ratio.shape)
    return Verdict(
        ok=False,
        worst=worst,
        detail=wrong,
        output=output,
        index=index,
        expected=format_element(expected[index], got.dtype),
        got=format_element(got[index], got.dtype),
    )


def _judge_mask(wrong: torch.Tensor, values: torch.Tensor, what: str, output: int) -> Verdict:
    """Right unless some element is marked wrong."""
    if not bool(wrong.any()):
        return Verdict(ok=True, worst=0.0)
    index = unravel(int(wrong.flatten().int().argmax()), wrong.shape)
    return Verdict(
        ok=False,
        worst=INF,
        detail=f"{int(wrong.sum())} of {wrong.numel()} elements are {what}",
        output=output,
        index=index,
        got=format_element(values[index], values.dtype),
        bad=wrong,
    )


def _reject(detail: str, output: int) -> Verdict:
    return Verdict(ok=False, worst=INF, detail=detail, output=output)
