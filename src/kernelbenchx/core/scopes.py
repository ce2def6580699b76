"""Scopes: which part of a task's promises a case asks about."""

from enum import StrEnum


class Scope(StrEnum):
    """A kernel may keep one of them and break another."""

    CORE = "core"
    """Contiguous inputs in the main dtypes, ordinary values and shapes, documented arguments."""
    LAYOUT = "layout"
    """Strided, transposed, offset or expanded inputs; `out=` with strides; in place."""
    DTYPE = "dtype"
    """Integers, bool, float64, complex, promotion, `dtype=`."""
    VALUES = "values"
    """NaN, infinities, subnormals, ranges that overflow or cancel, ties."""
    DEGENERATE = "degenerate"
    """Empty, 0-d, dimensions of size 1."""
    SCALE = "scale"
    """Long slices, many blocks, offsets beyond 32 bits."""


COMBINED = "combined"
"""Where cases that need several scopes are counted: none of them can be blamed alone."""
