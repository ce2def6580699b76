"""Ablated calls: launches do nothing, or poison what they could write.

A wrapper that raises where nothing was written proves nothing. Launches then write poison instead:
into every tensor, or, after they ran, into all but small ones. A flag that the wrapper reads then
has its usual value, and nothing of the answer is left.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal

import torch

from .data_flow import SMALL_BYTES
from .order import Arguments
from .tracing import poison_mildly

Poison = Literal["", "all", "large"]


class Ablation:
    """How one call of an order is ablated."""

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
        """Inputs, which no kernel may write: host code reads them as they are."""

    def keep(self, tensors: Iterable[torch.Tensor]) -> None:
        """Spare the weights of a module: they are inputs, too."""
        self._kept |= {one.untyped_storage().data_ptr() for one in tensors}

    @property
    def skips(self) -> bool:
        """Whether launches are skipped."""
        return self.asked and self._poison != "large"

    @property
    def poisons(self) -> bool:
        """Whether launches poison what they could write."""
        return self.asked and bool(self._poison)

    def spoil(self, tensors: Iterable[torch.Tensor]) -> None:
        """Poison what a launch could write."""
        for tensor in tensors:
            storage = tensor.untyped_storage()
            spared = self._poison == "large" and self._size_of(storage) <= SMALL_BYTES
            if spared or storage.data_ptr() in self._kept:
                continue
            poison_mildly(tensor)
