"""What crosses between the host and the memory of kernels in a call, and what torch does unasked.

A wrapper may read a few numbers, bring sizes and coefficients, and let torch allocate, view, copy
and cast. To compute on the host, it has to read the inputs and to bring the answer back; to compute
with operators that only seem to prepare, it has to change values by them. Both are counted here in
bytes, and named in the trace beyond an allowance.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from operator import itemgetter
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
MOVED = "torch.moving_copies"
COUNTED = "torch.sequences"
"""Names in a trace, beside those of torch's operators."""

_NUMBER_BYTES = 8
_WITH_NUMBERS = {
    *("fill", "fill_", "full", "full_like", "new_full", "scalar_tensor"),
    *("arange", "randint", "random_"),
}
"""Operators that put a number of the wrapper's choice into memory."""
_COPIES = {"copy_", "copy", "_to_copy"}
_DRAWS = {"randint", "random_"}
_SEQUENCES = {"arange", "eye"}
_FILLS = {"fill_", "zero_"}
_PARTS_OF_INPUTS = 4
"""An input counts as part of its storage only where that is more than so many times as large."""


class DataFlow:
    """Counts the bytes of one call; it is notified as launches begin and end."""

    def __init__(self, memory: Provenance | None = None) -> None:
        self.memory = memory or Provenance()
        self.spoil: Callable[[Iterable[torch.Tensor]], None] | None = None
        """What happens to the tensors of a launch when it is over."""
        self.size_of: Callable[[torch.UntypedStorage], int] = torch.UntypedStorage.nbytes
        """Bytes of a storage that belong to the submission."""
        self._bytes: Counter[str] = Counter()
        self._composites: Counter[str] = Counter()
        self._floats: set[str] = set()
        self._integers: set[int] = set()
        self._inputs: set[int] = set()
        self._copies: set[int] = set()
        """Memory with copies of inputs that no kernel was given yet."""
        self._asked: set[torch.dtype] = set()
        """Dtypes among the arguments: an input may be cast to these."""
        self._arguments: list[torch.Tensor] = []
        self._numbers: set[int] = set()
        """Memory with numbers of the wrapper, and with what torch computed from them."""

    def begin(self, memory: Any, arguments: Any = ()) -> None:
        """Begin a call: note its tensors' memory, and its arguments as the wrapper gets them."""
        self.memory.begin(memory)
        self._inputs = set(map(_address, tensors_in(memory)))
        self._arguments = list(tensors_in(arguments))
        self._asked = set(_dtypes_in(arguments))
        self._copies.clear()
        self._numbers.clear()
        self._bytes.clear()
        self._composites.clear()
        self._floats.clear()
        self._integers.clear()

    def before(self, values: Any) -> None:
        """Begin a launch: its arguments may hold an answer that was computed elsewhere."""
        self.memory.before(values)
        given = set(map(_address, tensors_in(values)))
        self._copies -= given
        self._numbers -= given
        self.note_numbers(values)

    def after(self, values: Any) -> None:
        """End a launch."""
        if self.spoil is not None:
            self.spoil(tensors_in(values))
        self.memory.after(values)

    def operator(self, name: str, given: Any, result: Any) -> None:
        """Note that an operator of torch ran."""
        library, _, rest = name.partition(".")
        plain = rest.partition(".")[0] if library == "aten" else name
        tensors = [one for one in tensors_in(given) if one.layout is torch.strided]
        self._forget_reused(result, tensors)
        if any(one.is_conj() or one.is_neg() for one in tensors):
            self._bytes[NEGATED] += max(map(_bytes_of, tensors))
        if (plain in _COPIES or plain == "clone") and tensors:
            self._note_copy(tensors[0] if plain == "copy_" else result, tensors[-1])
        elif plain in _WITH_NUMBERS or (plain == "zero_" and self._is_part(tensors[0])):
            self._bytes[FILLED] += _NUMBER_BYTES
        if plain == "fill_" and len(tensors) > 1:
            self._note_copy(tensors[0], tensors[1])
        elif plain in _FILLS and self._is_part(tensors[0]):
            self._bytes[MOVED] += _bytes_of(tensors[0])
        if plain in _SEQUENCES and all(one.numel() <= 1 for one in self._arguments):
            self._bytes[COUNTED] += _bytes_of(result)
        if plain in _DRAWS:
            self._bytes[DRAWN] += result.numel()

    def composite(self, name: str) -> None:
        """Note an operator that the dispatcher sees in pieces, and that does more than these."""
        self._composites[f"aten.{name}"] += 1

    def lift(self, given: Any) -> None:
        """Note a tensor that torch built from Python's numbers."""
        self._bytes[FILLED] += _NUMBER_BYTES * sum(one.numel() for one in tensors_in(given))
        self._numbers.update(map(_address, tensors_in(given)))
        self.memory.after(given)

    def is_of_numbers(self, given: Any, result: Any) -> bool:
        """Whether an operator computed a few numbers of the wrapper, as Python could have."""
        made = list(tensors_in(result))
        tensors = [*tensors_in(given), *made]
        addresses = set(map(_address, tensors_in(given)))
        if addresses and addresses <= self._numbers and sum(map(_bytes_of, tensors)) <= SMALL_BYTES:
            self._numbers.update(map(_address, made))
            return True
        self._numbers.difference_update(map(_address, made))
        return False

    def read(self, tensors: Iterable[torch.Tensor]) -> None:
        """Note that the host reads these tensors."""
        self._bytes[READ] += sum(map(_bytes_of, tensors))

    def note_result(self, result: Any) -> None:
        """Note the result of the call."""
        self.memory.before(result)
        with torch._C.DisableTorchFunction():
            lazy = [one for one in tensors_in(result) if one.is_conj() or one.is_neg()]
            self._bytes[NEGATED] += sum(map(_bytes_of, lazy))

    @property
    def operators(self) -> dict[str, int]:
        """Counts for the trace, beside the operators of torch."""
        found = {name: self._bytes[name] for name in (READ, NEGATED, ROUNDED, MOVED, COUNTED)}
        found[FILLED] = self._bytes[FILLED] + self.memory.foreign_bytes
        found[SCALARS] = self._scalar_bytes()
        most = {name: amount for name, amount in found.items() if amount > SMALL_BYTES}
        if self._bytes[DRAWN] > SEED_NUMBERS:
            most[DRAWN] = self._bytes[DRAWN]
        return {**self._composites, **most}

    def _forget_reused(self, result: Any, given: Iterable[torch.Tensor]) -> None:
        """Forget an address once its memory is reused."""
        made = {_address(one) for one in tensors_in(result) if one.layout is torch.strided}
        made.difference_update(map(_address, given))
        self._copies -= made

    def _note_copy(self, target: torch.Tensor, source: torch.Tensor) -> None:
        if source.device.type != "cpu" and target.device.type == "cpu":
            self.read([source])
        given = _address(source) in self._inputs | self._copies
        if _rounds(source.dtype, target.dtype):
            if not (given and target.dtype in self._asked):
                self._bytes[ROUNDED] += _bytes_of(source)
        elif given:
            self._copies.add(_address(target))
        if self._is_part(target) or self._reorders(target, source):
            self._bytes[MOVED] += _bytes_of(target)

    def _reorders(self, target: torch.Tensor, source: torch.Tensor) -> bool:
        """Whether a copy permutes, picks or repeats elements, which may be all that is asked for.

        Beside an index or a mask such a copy only prepares. So does one from or to what lies like
        the argument.
        """
        if len(self._arguments) != 1:
            return False
        given = _form(self._arguments[0])
        for one, other in ((source, target), (target, source)):
            if _form(one) == given and other.is_contiguous():
                return False
        return not _is_dense(source, along=target)

    def _is_part(self, target: torch.Tensor) -> bool:
        """Whether a larger tensor is being put together out of such pieces."""
        times = _PARTS_OF_INPUTS if _address(target) in self._inputs else 1
        return times * _bytes_of(target) < self.size_of(target.untyped_storage())

    def note_numbers(self, values: Any) -> None:
        """Note numbers that are passed to a launch."""
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


def _form(tensor: torch.Tensor) -> list[tuple[int, int]]:
    """Sizes and strides, without dimensions of one element."""
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return [(size, stride) for size, stride in pairs if size != 1]


def _is_dense(source: torch.Tensor, *, along: torch.Tensor) -> bool:
    """Whether the elements lie side by side in the order in which the other's lie."""
    if source.shape != along.shape:
        return source.numel() == along.numel() and source.is_contiguous()
    expected = 1
    for _, size, stride in sorted(
        zip(along.stride(), source.shape, source.stride(), strict=True), key=itemgetter(0)
    ):
        if size != 1:
            if stride != expected:
                return False
            expected *= size
    return True


def _dtypes_in(value: Any) -> Iterator[torch.dtype]:
    """Dtypes among arguments."""
    if isinstance(value, torch.dtype):
        yield value
    elif isinstance(value, list | tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _dtypes_in(item)


def _rounds(source: torch.dtype, target: torch.dtype) -> bool:
    """Whether a cast changes values rather than only the format: truncates, compares, drops."""
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
