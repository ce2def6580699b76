"""What a perfect kernel must at least do: the roofline's numerator."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """Essential operations and compulsory traffic of one call."""

    flops: int
    bytes: int
    """Every input read once and every output written once, in their own dtypes."""

    @property
    def intensity(self) -> float:
        """Operations per byte."""
        return self.flops / self.bytes if self.bytes else float("inf")
