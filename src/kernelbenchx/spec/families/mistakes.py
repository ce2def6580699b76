"""Mistakes that any kernel can make, as wrong answers for any task."""

from collections.abc import Callable
from typing import Any

import torch

from kernelbenchx.spec.mutants import Mutant, MutantRefusal
from kernelbenchx.spec.promises import Promise

Function = Callable[..., Any]


def strides_ignored(function: Function, place: int = 0, of: str = "input") -> Mutant:
    """Reads the memory of an argument in order, whatever its strides are.

    It is given by the name `of`, or at this place.
    """

    def answer(*args: Any, **words: Any) -> Any:
        given = list(args)
        if of in words:
            words[of] = _in_memory_order(words[of])
        elif place < len(given) and given[place] is not None:
            given[place] = _in_memory_order(given[place])
        return _write_answer(function, args, given, words)

    return Mutant(f"strides of the {of} ignored", answer, ("layout", of))


def strides_promise(function: Function) -> Promise:
    """Of the first argument, with a wrong answer."""
    options = ("transposed", "strided", "expanded")
    return Promise("Any strides.", "layout", options, strides_ignored(function))


def offset_ignored(function: Function, place: int = 0) -> Mutant:
    """Reads from the beginning of the storage."""

    def answer(*args: Any, **words: Any) -> Any:
        given = list(args)
        x = given[place]
        given[place] = x.as_strided(x.shape, x.stride(), 0) if x.numel() else x
        return _write_answer(function, args, given, words)

    return Mutant("offset into the storage ignored", answer, ("layout",))


def out_ignored(function: Function) -> Mutant:
    """Returns a new tensor and leaves `out` as it was."""
    return Mutant("out ignored", _without(function, "out"), ("out",))


def fresh_beside_out(function: Function) -> Mutant:
    """Fills `out` and returns another tensor."""

    def answer(*args: Any, out: torch.Tensor | None = None, **words: Any) -> Any:
        result = function(*args, **words)
        if out is not None:
            out.copy_(result)
        return result

    return Mutant("a fresh tensor beside out", answer, ("out",))


def out_promise(function: Function) -> Promise:
    """What `out` is for, with a wrong answer."""
    return Promise(
        "With `out`, a tensor of the result's shape and dtype and any strides, the result is "
        "written into it and that same tensor is returned.",
        "out",
        ("contiguous", "transposed", "strided"),
        out_ignored(function),
    )


def ignore_argument(function: Function, name: str, *codes: str) -> Mutant:
    """Never looks at one keyword argument."""
    return Mutant(f"{name} ignored", _without(function, name), (name, *codes))


def not_in_place(function: Function) -> Mutant:
    """A new tensor where the input should be written."""
    return Mutant("inplace ignored", _without(function, "inplace"), ("inplace",))


def always_in_place(function: Function) -> Mutant:
    """The input is written without being asked for."""
    return Mutant(
        "always in place",
        lambda *args, **words: function(*args, **words | {"inplace": True}),
        ("inplace",),
    )


def _without(function: Function, name: str) -> Function:
    """The same, whatever is given for one of its arguments."""

    def answer(*args: Any, **words: Any) -> Any:
        words.pop(name, None)
        out = words.pop("out", None)
        return store_result(function(*args, **words), out)

    return answer


def store_result(result: torch.Tensor, out: torch.Tensor | None) -> torch.Tensor:
    """The result in `out` where that is given and has the room."""
    return result if out is None or out.shape != result.shape else out.copy_(result)


def truncated_integers(function: Function) -> Mutant:
    """Integer inputs are answered in integers, then cast."""

    def answer(input: torch.Tensor, *args: Any, **words: Any) -> Any:
        result = function(input, *args, **words)
        return result if input.is_floating_point() else result.trunc()

    return Mutant("integers answered in integers", answer, ("dtype",))


def moved_as_float32(function: Function, place: int = 0, of: str = "input") -> Mutant:
    """Elements of an argument pass through float32, whatever their dtype is."""

    def answer(*args: Any, **words: Any) -> Any:
        given = list(args)
        x = given[place]
        given[place] = x if x.is_complex() else x.float().to(x.dtype)
        return function(*given, **words)

    return Mutant("moved through float32", answer, (of, "dtype"))


def first_elements_only(function: Function, most: int = 4096, *codes: str) -> Mutant:
    """One block of that size; what lies beyond is left as it was found."""

    def answer(*args: Any, **words: Any) -> Any:
        result = function(*args, **words)
        flat = result.reshape(-1).clone()
        flat[most:] = 0
        return result.copy_(flat.reshape(result.shape)) if result.numel() > most else result

    return Mutant(f"only the first {most} elements", answer, codes)


def tf32(x: torch.Tensor) -> torch.Tensor:
    """Ten explicit bits of float32, as tensor cores keep them; other dtypes as they are."""
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def refuses(function: Function, name: str, when: Callable[..., bool]) -> Mutant:
    """Raises where it should answer."""

    def answer(*args: Any, **words: Any) -> Any:
        if when(*args):
            raise MutantRefusal(name)
        return function(*args, **words)

    return Mutant(name, answer)


def _in_memory_order(x: torch.Tensor) -> torch.Tensor:
    if x.is_contiguous() or x.untyped_storage().nbytes() < x.nbytes:
        return x
    room = x.untyped_storage().nbytes() // x.itemsize - x.storage_offset()
    if room < x.numel():
        return x.flatten().flip(0).reshape(x.shape)
    strides = torch.empty(x.shape, device="meta").stride()
    return x.as_strided(x.shape, strides, x.storage_offset())


def _write_answer(function: Function, args: Any, given: list[Any], words: Any) -> Any:
    """The answer of changed arguments; what was to be written is written."""
    if words.get("inplace"):
        return args[0].copy_(_without(function, "inplace")(*given, **words))
    return function(*given, **words)
