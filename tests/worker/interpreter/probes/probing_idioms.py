"""What public kernels do beside arithmetic: constants, launchers, intrinsics, addresses."""

import torch
import triton
import triton.language as tl
import triton.language.extra.cuda as cuda
from expecting import fails, near
from torch._inductor.runtime import triton_helpers
from triton.language.extra.cuda import gdc_wait, smid
from triton.runtime import driver

from worker.interpreter import watching

CURED = (
    "probe_value_of_a_constexpr",
    "probe_a_kernel_made_ready_is_launched",
    "probe_a_launch_returns_facts",
    "probe_functions_over_scalars",
    "probe_hardware_is_asked",
)


@triton.jit
def value_kernel(o, B: tl.constexpr, SCALE: tl.constexpr):
    i = tl.arange(0, B.value)
    tl.store(o + i, i * SCALE.value)


@triton.jit
def value_of_a_tensor_kernel(o, n):
    tl.store(o, n.value)


@triton.jit
def copy_kernel(o, x, n, B: tl.constexpr, STAGES: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n, other=0.0), mask=i < n)


@triton.jit
def larger_of(a, b):
    if a > b:
        return a * 2
    return b


@triton.jit
def both_of(a, b):
    return a + b, a - b


@triton.jit
def pairs_of(a, b):
    return a, a + b


@triton.jit
def mapped_kernel(o, x, y, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(o + i, tl.map_elementwise(larger_of, a, b))
    total, difference = tl.map_elementwise(both_of, a, b)
    tl.store(o + B + i, total)
    tl.store(o + 2 * B + i, difference)
    (packed,) = tl.map_elementwise(pairs_of, a, pack=2)
    tl.store(o + 3 * B + i, packed)


@triton.jit
def hardware_kernel(o, times):
    cuda.gdc_wait()
    pid = tl.program_id(0)
    tl.store(o + pid, cuda.smid() + 1000 * cuda.num_warps() + cuda.num_threads())
    tl.store(times + pid, cuda.globaltimer())
    cuda.gdc_launch_dependents()


@triton.jit
def imported_kernel(o):
    gdc_wait()
    tl.store(o, smid() * 0 + 5)


@triton.jit
def grouped_kernel(o, addresses, n, B: tl.constexpr):
    pid = tl.program_id(0)
    x = tl.load(addresses + pid).to(tl.pointer_type(tl.float32))
    i = tl.arange(0, B)
    tl.store(o + pid * B + i, tl.load(x + i, mask=i < n, other=0.0))


@triton.jit
def scattered_kernel(addresses, B: tl.constexpr):
    y = tl.load(addresses).to(tl.pointer_type(tl.float32))
    tl.store(y + tl.arange(0, B), 7.0)


@triton.jit
def inductor_kernel(o, x, B: tl.constexpr):
    i = tl.arange(0, B)
    v = triton_helpers.maximum(tl.load(x + i), 0.0)
    tl.store(o + i, v + triton_helpers.promote_to_tensor(triton_helpers.max2(v, 0)))


@triton.jit
def exchange_kernel(o, x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.atomic_xchg(x + i, 2.5))


@triton.jit
def condition_kernel(o, B: tl.constexpr):
    i = tl.arange(0, B)
    if i > 2:
        tl.store(o + i, i)


@triton.jit
def iterated_kernel(o, n):
    for k in range(n):
        tl.store(o, tl.sum(tl.zeros(k, tl.float32)))


def probe_value_of_a_constexpr():
    o = torch.empty(8, dtype=torch.int32)
    value_kernel[(1,)](o, B=8, SCALE=3)
    assert o.tolist() == [0, 3, 6, 9, 12, 15, 18, 21]


def probe_value_of_a_tensor_is_an_error():
    with fails("NotTriton", "tensor.*value"):
        value_of_a_tensor_kernel[(1,)](torch.empty(1), 3)


def probe_a_kernel_made_ready_is_launched():
    x, o = torch.randn(16), torch.zeros(16)
    facts = driver.active.utils.get_device_properties(driver.active.get_current_device())
    kernel = copy_kernel.warmup(o, x, 16, B=8, STAGES=2, num_warps=8, grid=(1,))
    with fails("AttributeError", "n_regs"):
        kernel.n_regs  # noqa: B018 - known only once the binary is loaded
    kernel._init_handles()
    occupancy = facts["max_num_regs"] // (kernel.n_regs * facts["warpSize"] * 8)
    assert min(occupancy, facts["max_shared_mem"] // kernel.metadata.shared) > 0
    assert kernel.metadata.num_warps == 8
    assert "ptx" in kernel.asm
    with watching(0) as watch:
        kernel[(2, 1, 1)](o, x, 16, 8, 2)
        (launch,) = watch.launches
    assert (launch["kernel"], launch["options"]["num_warps"]) == ("copy_kernel", 8)
    near(o, x)


def probe_needs_of_a_binary_are_known_or_a_noted_guess():
    from worker.interpreter.binary_needs import GUESS, known_needs

    x, o = torch.randn(16), torch.zeros(16)

    def ask(block):
        kernel = copy_kernel.warmup(o, x, 16, B=block, STAGES=2, num_warps=8, grid=(1,))
        kernel._init_handles()
        return kernel.n_regs, kernel.metadata.shared

    with watching(0) as watch:
        assert copy_kernel[(2,)](o, x, 16, B=8, STAGES=2, num_warps=8).metadata.num_warps == 8
        assert watch.guessed == set()
        assert ask(8) == GUESS and watch.guessed == {"copy_kernel"}
        binary = {"launch": watch.launches[0], "registers": 20, "shared_bytes": 0}
        watch.needs = known_needs([binary])
        watch.begin_call()
        assert ask(8) == (20, 0) and watch.guessed == set()
        assert ask(16) == GUESS and watch.guessed == {"copy_kernel"}


def probe_a_kernel_made_ready_runs_nothing():
    x, o = torch.randn(8), torch.zeros(8)
    with watching(0) as watch:
        kernel = copy_kernel.warmup(o, x, 8, B=8, STAGES=2, grid=(1,))
        assert watch.launches == []
        assert o.tolist() == [0] * 8
        with fails("TypeError", "arguments"):
            kernel[(1, 1, 1)](o, x)


def probe_a_launch_returns_facts():
    kernel = copy_kernel[(1,)](torch.zeros(8), torch.randn(8), 8, B=8, STAGES=2)
    assert kernel.n_spills == 0
    assert kernel.metadata.name == "copy_kernel"


def probe_functions_over_scalars():
    x, y, o = torch.randn(8), torch.randn(8), torch.empty(32)
    mapped_kernel[(1,)](o, x, y, B=8)
    pairs = torch.stack([x[0::2], x[0::2] + x[1::2]], 1).reshape(-1)
    near(o, torch.cat([torch.where(x > y, x * 2, y), x + y, x - y, pairs]))


def probe_hardware_is_asked():
    o, times = torch.empty(3, dtype=torch.int32), torch.empty(3, dtype=torch.int64)
    hardware_kernel[(3,)](o, times, num_warps=8, launch_pdl=True)
    assert all(8256 <= one < 8256 + 132 for one in o.tolist())
    assert times.min() > 0
    imported_kernel[(1,)](o)
    assert o[0] == 5


def probe_addresses_in_memory():
    xs = [torch.randn(8) + k for k in range(3)]
    addresses = torch.tensor([x.data_ptr() for x in xs])
    o = torch.empty(24)
    grouped_kernel[(3,)](o, addresses, 8, B=8)
    near(o, torch.cat(xs))


def probe_an_address_of_nothing_is_out_of_bounds():
    x = torch.randn(8)
    with fails("OutOfBounds", "load outside"):
        grouped_kernel[(1,)](torch.empty(16), torch.tensor([x.data_ptr()]), 4096, B=4096)
    with fails("OutOfBounds", "far from every tensor"):
        grouped_kernel[(1,)](torch.empty(8), torch.tensor([x.data_ptr() ^ (1 << 45)]), 8, B=8)


def probe_memory_behind_an_address_is_accounted():
    seen = []

    class Books:
        def before(self, given):
            seen.append(("before", given))

        def after(self, given):
            seen.append(("after", given))

    y = torch.zeros(8)
    with watching(0) as watch:
        watch.memory = Books()
        scattered_kernel[(1,)](torch.tensor([y.data_ptr()]), B=8)
        assert ("before", y) in [(word, given) for word, given in seen if given is y]
        assert any(one is y for one in seen[-1][1][1])
    assert y.tolist() == [7] * 8


def probe_helpers_of_inductor():
    x, o = torch.randn(8), torch.empty(8)
    inductor_kernel[(1,)](o, x, B=8)
    near(o, x.relu() + x.relu().max())


def probe_floats_are_exchanged():
    x, o = torch.randn(8), torch.empty(8)
    before = x.clone()
    exchange_kernel[(1,)](o, x, B=8)
    near(o, before)
    assert x.tolist() == [2.5] * 8


def probe_errors_speak_of_the_kernel():
    with fails("AmbiguousTruth", r"line \d+: a block of 8 values cannot be a condition"):
        condition_kernel[(1,)](torch.empty(8, dtype=torch.int32), B=8)
    with fails("TypeError", "not iterable"):
        iterated_kernel[(1,)](torch.empty(1), 2)


def probe_bounds_of_an_expanded_tensor():
    x = torch.randn(4).expand(8, 4)
    with fails("OutOfBounds", r"element 4 of x \(float32\[8, 4\], 4 elements in memory\)"):
        copy_kernel[(1,)](torch.empty(32), x, 32, B=32, STAGES=1)
