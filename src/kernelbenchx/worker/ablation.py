"""Calls whose kernels do not count: launches do nothing, or poison what they could write.

A wrapper that raises where nothing was written tells nothing. Then launches write poison instead,
into everything or, after they ran, into all but small tensors: a flag that a wrapper looks at is
then as it wants it, and still nothing of the answer is left.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal

import torch

from .data_flow import SMALL_BYTES
from .order import Arguments
from .tracing import poison_mildly

Poison = Literal["", "all", "large"]


class Ablation:
    """What one call of an order asks for."""

    def __init__(
        self,
        call: dict[str, Any],
        arguments: Arguments,
        size_of: Callable[[torch.UntypedStorage], int] = torch.UntypedStorage.nbytes,
    ) -> None:
        self._size_of = size_of
        self.asked = bool(call.get("ablate"))
        self._poison: Poison = call.get("poison") or ""
        written = set(call.get("written") or ())
        self._kept = {
            storage.untyped_storage().data_ptr()
            for number, storage in arguments.storages.items()
            if number not in written
        }
        """Inputs, which no kernel may write: host code goes on with them as they are."""

    def keep(self, tensors: Iterable[torch.Tensor]) -> None:
        """The weights of a module are inputs, too."""
        self._kept |= {one.untyped_storage().data_ptr() for one in tensors}

    @property
    def skips(self) -> bool:
        """Whether launches are left out."""
        return self.asked and self._poison != "large"

    @property
    def poisons(self) -> bool:
        """Whether `spoil` has something to do."""
        return self.asked and bool(self._poison)

    def spoil(self, tensors: Iterable[torch.Tensor]) -> None:
        """Poison what a launch could write."""
        for tensor in tensors:
            storage = tensor.untyped_storage()
            spared = self._poison == "large" and self._size_of(storage) <= SMALL_BYTES
            if spared or storage.data_ptr() in self._kept:
                continue
            poison_mildly(tensor)
