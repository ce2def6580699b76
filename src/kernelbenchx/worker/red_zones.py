"""Red zones around every buffer: a GPU checks no bounds, so what is written there must show.

They hold NaN for every floating dtype, so that what is read there shows as well.
"""

import torch

PATTERN = 0xFF
WIDTH = 4096
"""Bytes before and behind each buffer on a GPU; keeps the alignment that allocators give."""


class OutOfBounds(RuntimeError):
    """A kernel wrote beyond the end, or before the beginning, of a buffer."""


class RedZones:
    """Buffers of one call between zones that no kernel may write; without width, plain buffers."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._guarded: list[tuple[torch.Tensor, int]] = []

    def begin(self) -> None:
        """Forget the buffers of the last call."""
        self._guarded.clear()

    def room(self, length: int, device: torch.device | str) -> torch.Tensor:
        """So many bytes of fresh memory between zones."""
        if not self._width:
            return torch.empty(length, dtype=torch.uint8, device=device)
        size = length + 2 * self._width
        whole = torch.full((size,), PATTERN, dtype=torch.uint8, device=device)
        self._guarded.append((whole, length))
        return whole[self._width : self._width + length]

    def guard_tensor(self, tensor: torch.Tensor) -> torch.Tensor:
        """A copy of the tensor in memory between red zones."""
        if not self._width or tensor.layout is not torch.strided:
            return tensor
        storage = tensor.untyped_storage()
        room = self.room(storage.nbytes(), tensor.device)
        held = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage)
        room.copy_(held)
        start = self._width // tensor.dtype.itemsize + tensor.storage_offset()
        empty = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
        return empty.set_(room.untyped_storage(), start, tensor.shape, tensor.stride())

    def size_of(self, storage: torch.UntypedStorage) -> int:
        """Bytes of a storage without its zones."""
        for whole, length in self._guarded:
            if whole.untyped_storage().data_ptr() == storage.data_ptr():
                return length
        return storage.nbytes()

    def check(self) -> None:
        """Raise where a zone was written."""
        for whole, length in self._guarded:
            before, behind = whole[: self._width], whole[self._width + length :]
            for zone, where in ((before, "before the beginning"), (behind, "beyond the end")):
                if bool((zone != PATTERN).any()):
                    raise OutOfBounds(f"a store {where} of a buffer of {length} bytes")
