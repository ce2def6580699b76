"""What a perfect kernel must at least do: the roofline's numerator."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """Essential operations and compulsory traffic of one call."""

    flops: int
    bytes: int
    """What must be read of the inputs and every output, once each and in their own dtypes."""

    @property
    def intensity(self) -> float:
        """Operations per byte."""
        return self.flops / self.bytes if self.bytes else float("inf")
