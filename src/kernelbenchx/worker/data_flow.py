"""What crosses between the host and the memory of kernels in a call, and what torch does unasked.

A wrapper may read a few numbers, bring sizes and coefficients, and let torch allocate, view, copy
and cast. Whoever computes on the host has to read the inputs and to bring the answer back; whoever
computes with operators that only seem to prepare changes values by them. Both are counted here in
bytes, and named in the trace beyond an allowance.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

import torch

from .provenance import Provenance, tensors_in

SMALL_BYTES = 1024
"""A call may read, bring or change this much: sizes, strides, a few coefficients, a flag."""
INTEGER_BYTES = 8192
"""Integers passed to launches: loops over columns or blocks pass many that no data decides."""
SEED_NUMBERS = 64
"""Random numbers that torch may draw in a call: seeds, not the answer."""

READ = "host.read_memory"
FILLED = "host.filled_memory"
SCALARS = "host.launch_scalars"
DRAWN = "torch.random_numbers"
NEGATED = "torch.lazy_negation"
ROUNDED = "torch.rounding_casts"
MOVED = "torch.piecewise_copies"
"""Names in a trace, beside those of torch's operators."""

_NUMBER_BYTES = 8
_WITH_NUMBERS = {
    *("fill", "fill_", "full", "full_like", "new_full", "scalar_tensor"),
    *("arange", "randint", "random_"),
}
"""Operators that put a number of the wrapper's choice into memory."""
_COPIES = {"copy_", "copy", "_to_copy"}
_DRAWS = {"randint", "random_"}
_PARTS_OF_INPUTS = 4
"""An input may lie in memory that is up to so many times as large: it is no part of anything."""


class DataFlow:
    """Counts for one call; launches are told to it as they begin and end."""

    def __init__(self, memory: Provenance | None = None) -> None:
        self.memory = memory or Provenance()
        self.spoil: Callable[[Iterable[torch.Tensor]], None] | None = None
        """What becomes of the tensors of a launch when it is over."""
        self.size_of: Callable[[torch.UntypedStorage], int] = torch.UntypedStorage.nbytes
        """Bytes of a storage that are the submission's."""
        self._bytes: Counter[str] = Counter()
        self._floats: set[str] = set()
        self._integers: set[int] = set()
        self._inputs: set[int] = set()
        self._copies: set[int] = set()
        """Memory with copies of inputs that no kernel was given yet."""
        self._cut: set[int] = set()
        """Memory with inputs that a cast rounded."""

    def begin(self, given: Any) -> None:
        """A call starts with these arguments."""
        self.memory.begin(given)
        self._inputs = set(map(_address, tensors_in(given)))
        self._copies.clear()
        self._cut.clear()
        self._bytes.clear()
        self._floats.clear()
        self._integers.clear()

    def before(self, values: Any) -> None:
        """A launch begins: its arguments may hold the answer, computed elsewhere."""
        self.memory.before(values)
        self._copies.difference_update(map(_address, tensors_in(values)))
        self.passed(values)

    def after(self, values: Any) -> None:
        """A launch ended."""
        if self.spoil is not None:
            self.spoil(tensors_in(values))
        self.memory.after(values)

    def operator(self, name: str, given: Any, result: Any) -> None:
        """An operator of torch ran."""
        library, _, rest = name.partition(".")
        plain = rest.partition(".")[0] if library == "aten" else name
        tensors = [one for one in tensors_in(given) if one.layout is torch.strided]
        self._made(result, tensors)
        if any(one.is_conj() or one.is_neg() for one in tensors):
            self._bytes[NEGATED] += max(map(_bytes_of, tensors))
        if plain == "_local_scalar_dense":
            self.read(tensors)
        elif plain in _COPIES and tensors:
            self._copied(tensors[0] if plain == "copy_" else result, tensors[-1])
        elif plain == "clone" and tensors:
            self._cast(result, tensors[0])
        elif plain in _WITH_NUMBERS or (plain == "zero_" and self._is_part(tensors[0])):
            self._bytes[FILLED] += _NUMBER_BYTES
        if plain == "fill_" and len(tensors) > 1:
            self._copied(tensors[0], tensors[1])
        if plain in _DRAWS:
            self._bytes[DRAWN] += result.numel()

    def lift(self, given: Any) -> None:
        """Torch made a tensor of Python's numbers."""
        self._bytes[FILLED] += sum(map(_bytes_of, tensors_in(given)))
        self.memory.after(given)

    def read(self, tensors: Iterable[torch.Tensor]) -> None:
        """The host looks at these."""
        self._bytes[READ] += sum(map(_bytes_of, tensors))

    def returned(self, result: Any) -> None:
        """The call is over."""
        self.memory.before(result)
        with torch._C.DisableTorchFunction():
            lazy = [one for one in tensors_in(result) if one.is_conj() or one.is_neg()]
            self._bytes[NEGATED] += sum(map(_bytes_of, lazy))

    @property
    def operators(self) -> dict[str, int]:
        """What the trace says of it, beside the operators of torch."""
        found = {name: self._bytes[name] for name in (READ, NEGATED, ROUNDED, MOVED)}
        found[FILLED] = self._bytes[FILLED] + self.memory.foreign_bytes
        found[SCALARS] = self._scalar_bytes()
        most = {name: amount for name, amount in found.items() if amount > SMALL_BYTES}
        if self._bytes[DRAWN] > SEED_NUMBERS:
            most[DRAWN] = self._bytes[DRAWN]
        return most

    def _made(self, result: Any, given: Iterable[torch.Tensor]) -> None:
        """What was known of an address ends where its memory is used for something new."""
        made = {_address(one) for one in tensors_in(result) if one.layout is torch.strided}
        made.difference_update(map(_address, given))
        self._copies -= made
        self._cut -= made

    def _copied(self, target: torch.Tensor, source: torch.Tensor) -> None:
        if source.device.type != "cpu" and target.device.type == "cpu":
            self.read([source])
        self._cast(target, source)
        if self._is_part(target):
            self._bytes[MOVED] += _bytes_of(target)

    def _cast(self, target: torch.Tensor, source: torch.Tensor) -> None:
        """An input may be cast to any dtype, as a task may ask for; whoever casts it back, or what
        a kernel made, rounds."""
        start, end = _address(source), _address(target)
        given, rounds = start in self._inputs | self._copies, _rounds(source.dtype, target.dtype)
        back = start in self._cut and (target.is_floating_point() or target.is_complex())
        if (rounds and not given) or back:
            self._bytes[ROUNDED] += _bytes_of(source)
        elif rounds or start in self._cut:
            self._cut.add(end)
        elif given:
            self._copies.add(end)

    def _is_part(self, target: torch.Tensor) -> bool:
        """Whether a larger tensor is being put together out of such pieces."""
        times = _PARTS_OF_INPUTS if _address(target) in self._inputs else 1
        return times * _bytes_of(target) < self.size_of(target.untyped_storage())

    def passed(self, values: Any) -> None:
        """Numbers that a launch is told."""
        for number in _numbers(values):
            if isinstance(number, float):
                self._floats.add(repr(number))
            else:
                self._integers.add(number)

    def _scalar_bytes(self) -> int:
        """Integers count by the steps between them: a loop has few, however long it is."""
        steps = {after - before for before, after in pairwise(sorted({0, *self._integers}))}
        whole = sum(max(_NUMBER_BYTES, step.bit_length() // 8) for step in steps)
        return _NUMBER_BYTES * len(self._floats) + max(0, whole - INTEGER_BYTES)


def _address(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage().data_ptr())


def _bytes_of(tensor: torch.Tensor) -> int:
    return int(tensor.numel()) * tensor.element_size()


def _rounds(source: torch.dtype, target: torch.dtype) -> bool:
    """Casts that do more than to say a number in another format: truncate, compare, drop."""
    if source.is_complex:
        return not target.is_complex
    coarse = not (target.is_floating_point or target.is_complex) or target.itemsize == 1
    return source.is_floating_point and coarse and source.itemsize > 1


def _numbers(value: Any, depth: int = 0) -> Iterator[int | float]:
    """Every number in nested arguments; texts are as long as they are."""
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if isinstance(value, int | float):
        yield value
    elif isinstance(value, str | bytes):
        yield int.from_bytes(value.encode() if isinstance(value, str) else value, "little")
    elif isinstance(value, list | tuple) and depth < 8:
        for item in value:
            yield from _numbers(item, depth + 1)
    elif isinstance(value, dict) and depth < 8:
        for item in value.values():
            yield from _numbers(item, depth + 1)
