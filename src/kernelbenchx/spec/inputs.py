"""Seeded input distributions: the only place where a task may draw randomness."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from kernelbenchx.spec.random_permutation import LARGE, ROUNDS, can_permute, permute_by_keys, spread

Shape = Sequence[int]


@dataclass(frozen=True)
class Draw:
    """A seeded source of tensors on one device."""

    generator: torch.Generator
    device: torch.device

    @classmethod
    def from_seed(cls, seed: int, device: str = "cpu") -> "Draw":
        """The same seed gives the same tensors."""
        where = torch.device(device)
        return cls(torch.Generator(where).manual_seed(seed), where)

    def normal(self, shape: Shape, dtype: torch.dtype, scale: float = 1.0) -> torch.Tensor:
        """Normal with standard deviation `scale`; complex dtypes get both parts."""
        if dtype.is_complex:
            real, imag = self._normal(shape), self._normal(shape)
            return (scale * torch.complex(real, imag)).to(dtype)
        drawn = self._normal(shape)
        return (drawn if scale == 1.0 else drawn.mul_(scale)).to(dtype)

    def uniform(
        self, shape: Shape, dtype: torch.dtype, low: float = 0.0, high: float = 1.0
    ) -> torch.Tensor:
        """Uniform on [low, high), rounded to `dtype`."""
        unit = torch.rand(
            tuple(shape), generator=self.generator, device=self.device, dtype=torch.float64
        )
        return unit.mul_(high - low).add_(low).to(dtype)

    def integers(
        self, shape: Shape, low: int, high: int, dtype: torch.dtype = torch.int64
    ) -> torch.Tensor:
        """Integers in [low, high)."""
        drawn = torch.randint(low, high, tuple(shape), generator=self.generator, device=self.device)
        return drawn.to(dtype)

    def booleans(self, shape: Shape, rate: float = 0.5) -> torch.Tensor:
        """True with probability `rate`."""
        return self.uniform(shape, torch.float64) < rate

    def permutation(self, count: int) -> torch.Tensor:
        """A random order of 0..count-1."""
        if can_permute(count, count):
            return self._permute_by_keys((count,), 0, count).long()
        return torch.randperm(count, generator=self.generator, device=self.device)

    def choose_mask(self, count: int, many: int) -> torch.Tensor:
        """True at exactly so many random places of `count`."""
        if count < LARGE:
            return self.permutation(count) < many
        drawn = torch.empty(count, dtype=torch.bool, device=self.device)
        drawn.bernoulli_(many / count, generator=self.generator)
        found = int(drawn.sum())
        if found > many:
            return self._clear_places(drawn, found - many, among=found)
        # Of what is not chosen: the same seen from the other side.
        return ~self._clear_places(~drawn, many - found, among=count - found)

    def _clear_places(self, drawn: torch.Tensor, many: int, among: int) -> torch.Tensor:
        """So many of `among` places that are True become False.

        Twice as many places are looked at as should do; all, where they did not.
        """
        count = drawn.numel()
        for looked_at in (64 + 2 * many * count // max(among, 1), count):
            places = self.places(count, min(looked_at, count))
            places = places[drawn[places]][:many]
            if places.numel() == many:
                break
        drawn[places] = False
        return drawn

    def distinct(self, shape: Shape, dim: int, high: int) -> torch.Tensor:
        """Integers in [0, high), no two alike along `dim`."""
        lines = list(shape)
        if not lines:
            return self.integers((), 0, 1)
        if not can_permute(high, math.prod(lines)):
            lines[dim] = high
            order = self.uniform(lines, torch.float64).argsort(dim)
            return order.narrow(dim, 0, shape[dim]).contiguous()
        return self._permute_by_keys(shape, dim, high).long()

    def _permute_by_keys(self, shape: Shape, dim: int, high: int) -> torch.Tensor:
        """In as few bits as do: memory is what takes time."""
        lines, ramp = list(shape), [1] * len(shape)
        ramp[dim], lines[dim] = shape[dim], 1
        keys = self.integers((1 + ROUNDS, *lines), 0, high).int()
        numbers = torch.arange(shape[dim], device=self.device, dtype=torch.int32)
        return permute_by_keys(numbers.view(ramp), keys, high)

    def places(self, count: int, many: int) -> torch.Tensor:
        """So many random places of `count`, none twice; all of them if there are no more."""
        if count < LARGE or 16 * many > count:
            return self.permutation(count)[:many]
        # One in each part of the whole, in random order.
        return spread(self.uniform((many,), torch.float64), count)[self.permutation(many)]

    def seed(self) -> int:
        """A seed for a generator that is handed to the call."""
        return int(self.integers((), 0, 2**31 - 1).item())

    def plant(self, tensor: torch.Tensor, values: Sequence[float]) -> torch.Tensor:
        """The tensor with `values` written at random places: what must be met isn't left to chance.

        Values that find no place (a tensor smaller than the list) are left out.
        """
        if not values:
            return tensor
        flat = tensor.flatten().clone()
        places = self.places(flat.numel(), len(values))
        planted = torch.tensor(list(values)[: places.numel()], dtype=tensor.dtype)
        # Made on the device, it would wait there for everything that was asked for before.
        flat[places] = planted.to(self.device, non_blocking=True)
        return flat.reshape(tensor.shape)

    def laid_out(self, tensor: torch.Tensor, layout: str) -> torch.Tensor:
        """The same values under another memory layout.

        `contiguous`, `transposed` (last two dimensions swapped in memory), `strided` (every second
        element of a wider buffer), `padded rows` (the left part of a wider buffer: stride 1, and
        gaps between the rows), `offset` (starts inside its storage, not 16-byte aligned),
        `expanded` (one slice of the first dimension, which stands for all of them).
        """
        if layout == "contiguous" or tensor.dim() == 0:
            return tensor.contiguous()
        if layout == "transposed":
            return _lay_out_transposed(tensor)
        if layout == "strided":
            wide = torch.empty(
                (*tensor.shape[:-1], 2 * tensor.shape[-1]), dtype=tensor.dtype, device=self.device
            )
            wide[..., 1::2] = tensor
            wide[..., ::2] = tensor
            return wide[..., ::2]
        if layout == "padded rows":
            # What stands in the gaps are values of the tensor: none of them looks wrong.
            columns = tensor.shape[-1]
            return torch.cat((tensor, tensor[..., : (columns + 1) // 2]), -1)[..., :columns]
        if layout == "offset":
            room = torch.zeros(tensor.numel() + 1, dtype=tensor.dtype, device=self.device)
            room[1:] = tensor.flatten()
            return room[1:].view(tensor.shape)
        if layout == "expanded":
            return tensor[:1].contiguous().expand(tensor.shape)
        raise ValueError(f"unknown layout {layout!r}")

    def _normal(self, shape: Shape) -> torch.Tensor:
        return torch.randn(
            tuple(shape), generator=self.generator, device=self.device, dtype=torch.float32
        )


def _lay_out_transposed(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.dim() < 2:
        return tensor.contiguous()
    return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
