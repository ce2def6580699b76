"""Did Triton do the work? What ran, as traced, and what is left without the kernels.

The trace comes from the submission's own process: it decides where the source checks left no way
to reach it. The second evidence needs no belief: a call whose launches do nothing must give a wrong
answer.
"""

from collections.abc import Iterable
from typing import Any

from kernelbenchx.core.outcome import Composition, Finding
from kernelbenchx.worker.data_flow import (
    DRAWN,
    FILLED,
    MOVED,
    NEGATED,
    READ,
    ROUNDED,
    SCALARS,
)

# Allocation, filling, views, copies, casts and questions: what a wrapper around kernels needs.
# What these do beyond it (numbers of the host, casts that round) `worker.data_flow` names.
_NAMES = (
    "_conj _local_scalar_dense _neg_view _reshape_alias _reshape_copy _to_copy _unsafe_view alias "
    "arange as_strided broadcast_tensors broadcast_to can_cast clone contiguous copy copy_ detach "
    "detach_ diagonal empty empty_like empty_strided expand expand_as eye fill fill_ flatten full "
    "full_like imag is_pinned is_same_size item lift_fresh lift_fresh_copy movedim narrow "
    "new_empty new_empty_strided new_full new_ones new_zeros numpy_T ones ones_like permute "
    "pin_memory promote_types randint random_ real record_stream reshape resize_ result_type "
    "scalar_tensor select set_ slice split split_with_sizes squeeze squeeze_ stride swapaxes t to "
    "transpose transpose_ unbind unfold unsqueeze unsqueeze_ view view_as view_as_complex "
    "view_as_real zero_ zeros zeros_like"
)
_HOUSEKEEPING = frozenset(_NAMES.split())


def torch_compute(operators: Iterable[str]) -> tuple[str, ...]:
    """The operators that compute something, by their plain names."""
    plain = {_plain(name) for name in operators}
    return tuple(sorted(name for name in plain if name not in _HOUSEKEEPING))


def composition_of(
    traces: Iterable[dict[str, Any]], *, data_movement: bool = False
) -> tuple[Composition, tuple[Finding, ...]]:
    """Pure, mixed or no kernel at all, from the traces of all calls with kernels; and why."""
    launched = False
    computed: dict[str, int] = {}
    for trace in traces:
        launched = launched or bool(trace.get("launches"))
        ops = trace.get("ops", {})
        for name in torch_compute(ops):
            if name != MOVED or data_movement:
                computed[name] = max(computed.get(name, 0), ops.get(name, 0))
    found = tuple(_computes(name, amount) for name, amount in sorted(computed.items()))
    if not launched:
        return Composition.NOT_A_KERNEL, found
    return Composition.MIXED if computed else Composition.PURE, found


_EVIDENCE = {
    READ: "reads {} bytes of tensors to the host in one call",
    FILLED: "brings {} bytes from the host into tensors in one call",
    SCALARS: "passes {} bytes of numbers to launches in one call",
    DRAWN: "torch draws {} random numbers in one call: more than seeds",
    NEGATED: "torch negates {} bytes by a lazy conjugate or negation in one call",
    ROUNDED: "torch rounds or compares {} bytes by a cast in one call",
    MOVED: "torch moves {} bytes piece by piece in one call",
}


def _computes(name: str, amount: int) -> Finding:
    """Why something that ran counts as computing; operators go by their name."""
    why = _EVIDENCE.get(name, "").format(amount) or f"{name} of torch ran and computes"
    return Finding(rule="authorship", line=0, why=why[:200], fatal=False)


def worse(one: Composition, other: Composition) -> Composition:
    """The less flattering of two findings about the same submission."""
    order = (Composition.PURE, Composition.MIXED, Composition.NOT_A_KERNEL)
    return max(one, other, key=order.index)


def when_timed(static: Composition, traced: Composition, *, replayed: bool) -> Composition:
    """Timed calls are not traced; a replayed plan holds launches, copies and fills alone.

    Otherwise a branch that only large inputs take counts by what its source says.
    """
    return traced if replayed else worse(static, traced)


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
