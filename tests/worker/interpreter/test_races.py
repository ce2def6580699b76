"""The table of who touched what: clashes are found in either order, harmless access is not."""

from __future__ import annotations

import numpy as np
import pytest

from kernelbenchx.worker.interpreter.dtypes import Array
from kernelbenchx.worker.interpreter.ordering import Ordering
from kernelbenchx.worker.interpreter.races import Clash
from kernelbenchx.worker.interpreter.races import Shadow as OrderedShadow

PROGRAMS = 8


class Shadow(OrderedShadow):
    """One storage of a launch; each access says which program makes it."""

    def __init__(self, nbytes: int, itemsize: int) -> None:
        self.order = Ordering(PROGRAMS)
        super().__init__(nbytes, itemsize, self.order)

    def read_by(self, program: int, index: Array, size: int) -> Clash | None:
        self.order.begin(program)
        return self.on_read(index, size)


def _places(*places: int) -> Array:
    return np.array(places, dtype=np.int64)


def _write(shadow: Shadow, program: int, *places: int, size: int = 4) -> Clash | None:
    index = _places(*places)
    shadow.order.begin(program)
    return shadow.on_write(index, size, lambda: np.ones(index.shape, dtype=bool))


def test_readers_do_not_clash() -> None:
    shadow = Shadow(64, 4)
    assert shadow.read_by(1, _places(0, 1), 4) is None
    assert shadow.read_by(2, _places(0, 1), 4) is None


@pytest.mark.parametrize("writer_first", [True, False])
def test_reader_and_writer_clash_in_either_order(writer_first: bool) -> None:
    shadow = Shadow(64, 4)
    if writer_first:
        assert _write(shadow, 1, 3) is None
        clash = shadow.read_by(2, _places(2, 3), 4)
        assert clash == Clash("read-write", 1, 12)
    else:
        assert shadow.read_by(2, _places(2, 3), 4) is None
        assert _write(shadow, 1, 3) == Clash("read-write", 2, 12)


def test_the_second_reader_is_remembered() -> None:
    shadow = Shadow(64, 4)
    shadow.read_by(1, _places(5), 4)
    shadow.read_by(2, _places(5), 4)
    assert _write(shadow, 1, 5) == Clash("read-write", 2, 20)


def test_one_program_never_clashes_with_itself() -> None:
    shadow = Shadow(64, 4)
    assert shadow.read_by(1, _places(5), 4) is None
    assert _write(shadow, 1, 5) is None
    assert shadow.read_by(1, _places(5), 4) is None
    assert _write(shadow, 1, 5) is None


def test_equal_values_do_not_clash() -> None:
    shadow = Shadow(64, 4)
    assert _write(shadow, 1, 5) is None
    shadow.order.begin(2)
    same = shadow.on_write(_places(5), 4, lambda: np.zeros(1, dtype=bool))
    assert same is None
    assert _write(shadow, 3, 5) == Clash("write-write", 2, 20)


def test_accesses_of_other_sizes_meet_where_their_bytes_do() -> None:
    shadow = Shadow(64, 4)
    assert _write(shadow, 1, 2) is None
    assert _write(shadow, 2, 12, size=1) is None
    assert _write(shadow, 3, 9, size=1) == Clash("write-write", 1, 9)
    assert _write(shadow, 4, 1, size=8) is not None


def test_many_noted_reads_are_kept_in_the_tables() -> None:
    shadow = Shadow(4 << 20, 4)
    everything = np.arange(1 << 20, dtype=np.int64)
    for program in (1, 2, 3):
        assert shadow.read_by(program, everything, 4) is None
    assert _write(shadow, 1, 77) is not None
