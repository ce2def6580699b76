"""Did Triton do the work? What ran, as traced, and what is left without the kernels.

The trace comes from the submission's own process, so it is believed only against it. The second
evidence is not: a call whose launches do nothing must give a wrong answer.
"""

from collections.abc import Iterable
from typing import Any

from kernelbenchx.core.outcome import Composition, Finding

# Allocation, filling, views, copies and casts: what a wrapper around kernels needs.
_NAMES = (
    "_conj _local_scalar_dense _reshape_alias _reshape_copy _to_copy _unsafe_view alias arange "
    "as_strided broadcast_tensors broadcast_to clone contiguous copy copy_ detach empty "
    "empty_like empty_strided equal expand expand_as eye fill fill_ flatten full full_like imag "
    "is_pinned is_same_size item lift_fresh lift_fresh_copy movedim narrow new_empty "
    "new_empty_strided new_full new_ones new_zeros numpy_T ones ones_like permute pin_memory "
    "randint random_ real record_stream reshape resize_ scalar_tensor select set_ slice split "
    "split_with_sizes squeeze squeeze_ stride swapaxes t to transpose transpose_ unbind unfold "
    "unsqueeze unsqueeze_ view view_as view_as_complex view_as_real zero_ zeros zeros_like"
)
_HOUSEKEEPING = frozenset(_NAMES.split())


def torch_compute(operators: Iterable[str]) -> tuple[str, ...]:
    """The operators that compute something, by their plain names."""
    plain = {_plain(name) for name in operators}
    return tuple(sorted(name for name in plain if name not in _HOUSEKEEPING))


def composition_of(traces: Iterable[dict[str, Any]]) -> Composition:
    """Pure, mixed or no kernel at all, from the traces of all calls that had work to do."""
    launched, computed = False, False
    for trace in traces:
        launched = launched or bool(trace.get("launches"))
        computed = computed or bool(torch_compute(trace.get("ops", {})))
    if not launched:
        return Composition.NOT_A_KERNEL
    return Composition.MIXED if computed else Composition.PURE


def worse(one: Composition, other: Composition) -> Composition:
    """The less flattering of two findings about the same submission."""
    order = (Composition.PURE, Composition.MIXED, Composition.NOT_A_KERNEL)
    return max(one, other, key=order.index)


def no_launch() -> Finding:
    """The rejection of a submission that never launched a kernel."""
    return Finding(rule="authorship", line=0, why="no Triton kernel was launched in any call")


def answers_without_kernels() -> Finding:
    """The rejection of a submission that is right although its kernels did nothing."""
    return Finding(
        rule="authorship",
        line=0,
        why="the answer is right even when the launched kernels do nothing",
    )


def _plain(name: str) -> str:
    """`add` for `aten.add.Tensor`; operators of other libraries keep their library's name."""
    library, _, rest = name.partition(".")
    return rest.partition(".")[0] if library == "aten" else name
