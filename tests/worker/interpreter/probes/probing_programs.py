"""Order of programs, races between them, and programs that wait."""

import torch
import triton
import triton.language as tl
from expecting import near

from worker.interpreter import watching

CURED = ("probe_order_is_shuffled", "probe_waiting_runs_in_order")


@triton.jit
def order_kernel(o, counter):
    turn = tl.atomic_add(counter, 1)
    tl.store(o + turn, tl.program_id(0) + 10 * tl.program_id(1))


@triton.jit
def overwrite_kernel(o, same: tl.constexpr, B: tl.constexpr):
    value = 1 if same else tl.program_id(0)
    tl.store(o + tl.arange(0, B), value)


@triton.jit
def plain_add_kernel(o):
    tl.store(o, tl.load(o) + 1)


@triton.jit
def atomic_add_kernel(o):
    tl.atomic_add(o, 1.0)


@triton.jit
def shift_kernel(x, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i + B, tl.load(x + i))


@triton.jit
def double_kernel(x, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i) * 2)
    tl.store(x + i, tl.load(x + i) * 2)


@triton.jit
def overlap_kernel(o, B: tl.constexpr):
    i = tl.program_id(0) * (B // 2) + tl.arange(0, B)
    tl.store(o + i, tl.program_id(0))


@triton.jit
def bytes_kernel(o8, o32):
    if tl.program_id(0) == 0:
        tl.store(o8 + 1, 1)
    else:
        tl.store(o32, 7)


@triton.jit
def chain_kernel(flags, o):
    pid = tl.program_id(0)
    if pid > 0:
        while tl.load(flags + pid - 1, volatile=True) == 0:
            pass
    tl.store(o + pid, tl.load(o + pid) + pid)
    tl.store(flags + pid, 1)


@triton.jit
def counted_kernel(o, x, parts, counter, B: tl.constexpr, SEM: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(parts + pid, tl.sum(tl.load(x + pid * B + tl.arange(0, B))))
    if tl.atomic_add(counter, 1, sem=SEM) == tl.num_programs(0) - 1:
        tl.store(o, tl.sum(tl.load(parts + tl.arange(0, 4))))


@triton.jit
def lock_kernel(lock, o):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(o, tl.load(o) + 1)
    tl.atomic_xchg(lock, 0)


@triton.jit
def busy_kernel(x, o, n):
    total = 0.0
    k = 0
    while k < n:
        total += tl.load(x + k % 8)
        tl.store(o, total)
        k += 1


def turns(order, seed=0, grid=(8,)):
    o, counter = torch.empty(64, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    with watching(seed) as watch:
        watch.begin_call(order=order)
        order_kernel[grid](o, counter)
    return o[: counter.item()].tolist()


def probe_order_is_shuffled():
    assert sorted(turns("shuffled")) == list(range(8))
    assert turns("shuffled") != list(range(8))


def probe_order_is_fixed_by_the_seed():
    assert turns("shuffled", 1) == turns("shuffled", 1)
    assert turns("shuffled", 1) != turns("shuffled", 2)


def probe_order_can_be_chosen():
    assert turns("in_order") == list(range(8))
    assert turns("reversed") == list(range(7, -1, -1))
    assert sorted(turns("shuffled", grid=(2, 3))) == [0, 1, 10, 11, 20, 21]


def races(kernel, *args, grid=(4,), seed=0, **kwargs):
    with watching(seed) as watch:
        kernel[grid](*args, **kwargs)
        return watch.races


def probe_two_writers_of_one_place_race():
    found = races(overwrite_kernel, torch.empty(8), same=False, B=8)
    assert found[0]["kind"] == "write-write"
    assert found[0]["tensor"] == "o"
    assert found[0]["kernel"] == "overwrite_kernel"
    first, second = found[0]["programs"]
    assert first != second
    assert found[0]["line"] is not None


def probe_writers_of_equal_values_do_not_race():
    assert races(overwrite_kernel, torch.empty(8), same=True, B=8) == []


def probe_plain_addition_races():
    assert {race["kind"] for race in races(plain_add_kernel, torch.zeros(1))} == {"read-write"}


def probe_atomic_addition_does_not_race():
    o = torch.zeros(1)
    assert races(atomic_add_kernel, o) == []
    assert o.item() == 4


def probe_reader_and_writer_race_in_any_order():
    for seed in range(6):
        assert races(shift_kernel, torch.zeros(64), grid=(3,), seed=seed, B=16)


def probe_own_writes_may_be_read():
    x = torch.ones(64)
    assert races(double_kernel, x, B=16) == []
    near(x, torch.full((64,), 4.0))


def probe_one_program_does_not_race():
    assert races(shift_kernel, torch.zeros(64), grid=(1,), B=16) == []


def probe_overlap_is_found_where_it_is():
    found = races(overlap_kernel, torch.empty(64, dtype=torch.int32), grid=(2,), B=16)
    assert [race["offset"] for race in found] == [8 * 4]


def probe_bytes_of_one_element_race():
    o = torch.zeros(4, dtype=torch.int32)
    assert races(bytes_kernel, o.view(torch.int8), o, grid=(2,))


def probe_races_are_capped():
    assert len(races(plain_add_kernel, torch.zeros(1), grid=(200,))) <= 20


def probe_waiting_runs_in_order():
    flags, o = torch.zeros(4, dtype=torch.int32), torch.ones(4, dtype=torch.int32)
    with watching(0) as watch:
        watch.begin_call(order="reversed")
        chain_kernel[(4,)](flags, o)
        assert watch.flags == {"waits"}
    assert o.tolist() == [1, 2, 3, 4]
    assert flags.tolist() == [1, 1, 1, 1]


def probe_lock_does_not_wait():
    lock, o = torch.zeros(1, dtype=torch.int32), torch.zeros(1)
    with watching(0) as watch:
        lock_kernel[(8,)](lock, o)
        assert "waits" not in watch.flags
    assert o.item() == 8


def probe_long_loops_do_not_wait():
    x, o = torch.ones(8), torch.zeros(1)
    with watching(0) as watch:
        busy_kernel[(1,)](x, o, 300)
        assert watch.flags == set()
    assert o.item() == 300


def probe_the_last_program_may_read_what_a_counter_ordered():
    x, o = torch.randn(32), torch.empty(1)
    with watching(3) as watch:
        counted_kernel[(4,)](o, x, torch.empty(4), new_counter(), B=8, SEM="acq_rel")
        assert watch.races == []
        assert watch.ordered_by_atomics == {"counted_kernel"}
    near(o, x.sum().reshape(1), within=1e-5)


def probe_a_relaxed_counter_orders_nothing():
    with watching(3) as watch:
        kernel = counted_kernel[(4,)]
        kernel(torch.empty(1), torch.randn(32), torch.empty(4), new_counter(), B=8, SEM="relaxed")
        assert {race["tensor"] for race in watch.races} == {"parts"}


def probe_a_lock_orders_who_holds_it():
    lock, o = new_counter(), torch.zeros(1)
    with watching(3) as watch:
        lock_kernel[(8,)](lock, o)
        assert watch.races == []
        plain_add_kernel[(8,)](o)
        assert watch.races
    assert o.item() == 16


def new_counter():
    return torch.zeros(1, dtype=torch.int32)
