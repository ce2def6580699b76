"""Decides whether Triton did the work, from traces and from calls without kernels.

The trace comes from the submission's own process: it decides where the source checks left no way to
reach it. The second evidence needs no trust: a call whose launches do nothing must give a wrong
answer.
"""

from collections.abc import Iterable
from typing import Any

from kernelbenchx.core.outcome import Composition, Finding
from kernelbenchx.worker.data_flow import (
    COUNTED,
    DRAWN,
    FILLED,
    MOVED,
    NEGATED,
    READ,
    ROUNDED,
    SCALARS,
)
from kernelbenchx.worker.host_reads import VIEWS_AND_QUESTIONS

# Allocation, filling, views, copies, casts and questions: what a wrapper around kernels needs.
# What these do beyond it (numbers of the host, casts that round) `worker.data_flow` names.
_NAMES = (
    "_conj _local_scalar_dense _neg_view _reshape_alias _reshape_copy _to_copy _unsafe_view "
    "alias arange as_strided clone copy copy_ detach detach_ diagonal empty_like "
    "empty_strided expand eye fill fill_ full full_like is_pinned is_same_size lift_fresh "
    "lift_fresh_copy new_empty new_empty_strided new_full new_ones new_zeros ones ones_like "
    "permute randint random_ record_stream resize_ scalar_tensor select slice "
    "split_with_sizes squeeze squeeze_ t transpose transpose_ unbind unfold unsqueeze "
    "unsqueeze_ view view_as_complex view_as_real zero_ zeros zeros_like"
)
_HOUSEKEEPING = VIEWS_AND_QUESTIONS.union(_NAMES.split())


def is_computing(name: str) -> bool:
    """Whether an operator, or another traced name, does more than to prepare."""
    return _plain(name) not in _HOUSEKEEPING


def torch_compute(operators: Iterable[str]) -> tuple[str, ...]:
    """The operators that compute something, by their plain names."""
    return tuple(sorted({_plain(name) for name in operators if is_computing(name)}))


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
    MOVED: "torch moves {} bytes in one call",
    COUNTED: "torch makes {} bytes of sequences in one call",
}


def _computes(name: str, amount: int) -> Finding:
    """Why something that ran counts as computing; operators go by their name."""
    why = _EVIDENCE.get(name, "").format(amount) or f"{name} of torch ran and computes"
    return Finding(rule="authorship", line=0, why=why[:200], fatal=False)


def worse(one: Composition, other: Composition) -> Composition:
    """The worse of two findings about the same submission."""
    order = (Composition.PURE, Composition.MIXED, Composition.NOT_A_KERNEL)
    return max(one, other, key=order.index)


def when_timed(static: Composition, traced: Composition, *, replayed: bool) -> Composition:
    """The composition where calls are timed: a plan that is replayed shows it, other calls do not.

    A replayed plan holds launches, copies and fills alone. Otherwise a branch that only large
    inputs take counts by what its source says.
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


def another_body(difference: dict[str, Any]) -> Finding:
    """The rejection of a kernel that the compiler reads differently from the interpreter."""
    line, why, kernel = (difference[name] for name in ("line", "why", "kernel"))
    said = f"line {line} {why} (in a launch of {kernel})"
    return Finding(rule="authorship", line=max(0, line), why=said[:200])


def _plain(name: str) -> str:
    """`add` for `aten.add.Tensor`; operators of other libraries keep their library's name."""
    library, _, rest = name.partition(".")
    return rest.partition(".")[0] if library == "aten" else name
