"""ExactContiguous: the bits of the reference in row-major order, where that order is the work."""

from dataclasses import dataclass

from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.element_comparison import INF
from kernelbenchx.spec.exact import Exact


@dataclass(frozen=True, kw_only=True)
class ExactContiguous(Exact):
    """Equal to the reference, and contiguous: a view of a plain copy would spare all the work."""

    def judge(self, evidence: Evidence) -> Verdict:
        """No element may differ, and each lies where its index says."""
        found = super().judge(evidence)
        if found.ok and not all(value.is_contiguous() for value in evidence.outputs[0]):
            return Verdict(ok=False, worst=INF, detail="the result is not contiguous")
        return found
