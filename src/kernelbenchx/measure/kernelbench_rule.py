"""KernelBench's own rule, for comparison: `torch.allclose` with the reference's own output."""

from collections.abc import Sequence

import torch

from kernelbenchx.core.rules import KernelBenchRule
from kernelbenchx.spec.outputs import CallResult, flatten
from kernelbenchx.spec.task import Outputs

LOOSE, STRICT = 1e-2, 1e-4
_AT_ONCE = 1 << 24
"""Elements compared at once: a published size leaves little memory for more."""


def kernelbench_rule(returned: CallResult, native: Outputs, case: str = "") -> KernelBenchRule:
    """Apply the rule to one answer."""
    got = [leaf.value for leaf in flatten(returned.result)]
    wanted = [leaf.value for leaf in native.leaves[: native.returned]]
    return KernelBenchRule(
        passes_1e_2=_all_close(got, wanted, LOOSE),
        passes_1e_4=_all_close(got, wanted, STRICT),
        case=case,
    )


def _all_close(
    got: Sequence[torch.Tensor], wanted: Sequence[torch.Tensor], tolerance: float
) -> bool:
    """Compare; another structure, shape, dtype or device never passes."""
    return len(got) == len(wanted) and all(
        mine.shape == theirs.shape
        and mine.dtype == theirs.dtype
        and mine.device == theirs.device
        and all(
            torch.allclose(own, right, rtol=tolerance, atol=tolerance)
            for own, right in zip(_parts(mine), _parts(theirs), strict=True)
        )
        for mine, theirs in zip(got, wanted, strict=True)
    )


def _parts(tensor: torch.Tensor) -> tuple[torch.Tensor, ...]:
    flat = tensor.reshape(-1)
    return flat.chunk(max(1, -(-flat.numel() // _AT_ONCE)))
