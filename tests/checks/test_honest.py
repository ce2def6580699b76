"""Honest submissions: none is refused, and all are pure."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]

HONEST = {
    "autotune": """
def prune(configs, named_args, **kwargs):
    n = named_args["n"]
    return [c for c in configs if c.kwargs["BLOCK"] <= max(64, triton.next_power_of_2(n))]
@triton.autotune(
    configs=[triton.Config({"BLOCK": b}, num_warps=w) for b in (64, 128) for w in (2, 4)],
    key=["n"],
    prune_configs_by={"early_config_prune": prune},
)
@triton.jit
def k(out, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)
def f(x, y):
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    n = out.numel()
    k[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](out, x.contiguous(), n)
    return out
""",
    "multi": """
@triton.jit
def helper(a, b):
    return tl.maximum(a, b)
@triton.jit
def part(ws, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(ws + tl.program_id(0), tl.sum(helper(tl.load(x + at, mask=at < n, other=0.0), 0.0)))
def f(x: torch.Tensor, y: torch.Tensor):
    assert x.dim() == y.dim(), f"bad {x.shape}"
    if x.shape[0] != y.shape[0]:
        raise ValueError("shape")
    x2 = x.contiguous().view(-1)
    n = x2.numel()
    blocks = triton.cdiv(n, 1024)
    ws = torch.zeros((blocks,), device=x.device, dtype=torch.float32)
    grid = (blocks,)
    part[grid](ws, x2, n, BLOCK=1024)
    out = torch.full((1,), 0.0, device=x.device)
    part[(1,)](out, ws, blocks, BLOCK=triton.next_power_of_2(blocks))
    return out.reshape(()).to(x.dtype)
""",
    "heur": """
@triton.heuristics({"EVEN": lambda a: a["n"] % a["BLOCK"] == 0})
@triton.jit
def k(out, x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        v = tl.load(x + at)
    else:
        v = tl.load(x + at, mask=at < n)
    tl.store(out + at, v, mask=at < n)
def f(x, y):
    out = torch.empty_like(x)
    with torch.cuda.device(x.device):
        k[(1,)](out, x, x.numel(), BLOCK=64)
    return out
""",
    "broadcast": """
from typing import Optional, Tuple
import math
def f(
    x: torch.Tensor, y: Optional[torch.Tensor] = None, *, scale: float = 1.0
) -> Tuple[torch.Tensor, int]:
    shape = torch.broadcast_shapes(x.shape, y.shape)
    a, b = torch.broadcast_tensors(x, y)
    dtype = torch.promote_types(x.dtype, y.dtype)
    a = a.to(dtype).transpose(0, 1).permute(1, 0).expand(shape).unsqueeze(0).squeeze(0)
    s = scale * math.sqrt(x.size(-1))
    strides = [st * 2 for st in a.stride()]
    n = 1
    for d in shape:
        n *= d
    copy_kernel[(n,)](a, b, n + strides[0], BLOCK=32)
    return a, n
""",
    "autograd": """
class G(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        out = launch(x)
        ctx.save_for_backward(x, y)
        ctx.n = x.numel()
        return out
    @staticmethod
    def backward(ctx, g):
        return g * 2, torch.mm(g, g)
def f(x, y):
    return G.apply(x, y)
""",
    "props": """
_SM = None
def sms(device):
    global _SM
    if _SM is None:
        _SM = torch.cuda.get_device_properties(device).multi_processor_count
    return _SM
def f(x, y):
    n = sms(x.device)
    copy_kernel[(min(n, 4),)](x, y, x.numel(), BLOCK=64)
    return x
""",
    "lru": """
import functools
@functools.lru_cache(maxsize=None)
def block(n):
    return triton.next_power_of_2(n)
def f(x, y):
    copy_kernel[(4,)](x, y, x.numel(), BLOCK=block(x.numel()))
    return x
""",
    "dispatch": """
KERNELS = {torch.float32: copy_kernel, torch.float16: copy_kernel}
DT = {torch.float32: tl.float32}
def pick(x):
    return KERNELS[x.dtype]
def f(x, y):
    k = pick(x)
    grid = lambda m: (triton.cdiv(x.numel(), m["BLOCK"]),)
    k[grid](x, y, x.numel(), BLOCK=64)
    run = copy_kernel[grid]
    run(x, y, 4, BLOCK=32)
    return x
""",
    "param_kernel": """
def go(kernel, out, *args, **meta):
    kernel[(1,)](out, *args, **meta)
    return out
def f(x, y):
    return go(copy_kernel, torch.empty_like(x), x, x.numel(), BLOCK=32)
""",
    "run": """
def f(x, y):
    copy_kernel.run(x, y, 3, grid=(1,), warmup=False, BLOCK=32)
    return x
""",
    "libdevice": """
try:
    from triton.language.extra import libdevice
except ImportError:
    from triton.language.extra.cuda import libdevice
@triton.jit
def k(x):
    tl.store(x, libdevice.rint(tl.load(x)))
def f(x, y):
    k[(1,)](x)
    return x
""",
    "list_ops": """
def f(x, y):
    dims = list(range(x.dim()))
    dims.remove(0)
    dims.append(0)
    dims.sort()
    seen = set()
    seen.add(3)
    shape = list(x.shape)
    shape[0] = 1
    new = tuple(shape) + (3,)
    names = ", ".join(str(d) for d in dims)
    out = x.new_empty(new)
    tensors = [x, y] + [out]
    for t, n in zip(tensors, (1, 2, 3)):
        copy_kernel[(n * 2,)](t, x, n + 1, BLOCK=32)
    out[0] = 0
    out[:, 1:].copy_(x[:, 1:])
    return out
""",
    "scalar": """
def f(x, y, alpha=1.0, dim=-1):
    d = dim % x.ndim
    s = 1.0 / alpha
    if isinstance(y, torch.Tensor):
        z = y
    else:
        z = torch.full_like(x, y)
    is_half = x.dtype in (torch.float16, torch.bfloat16)
    if x.dtype == torch.float32 and not x.is_contiguous():
        x = x.contiguous()
    copy_kernel[(1,)](z, x, int(s), BLOCK=32)
    return z if is_half else z.float()
""",
    "inner_def": """
def f(x, y):
    n = x.numel()
    def grid(meta):
        return (triton.cdiv(n, meta["BLOCK"]),)
    copy_kernel[grid](x, y, n, BLOCK=32)
    return x
""",
    "test_section": """
def f(x, y):
    return launch(x)
def test_f():
    import numpy as np
    a = torch.randn(3)
    try:
        f(a, a)
    except Exception:
        pass
    assert torch.allclose(f(a, a), a)
if __name__ == "__main__":
    test_f()
""",
    "dataclass": """
from dataclasses import dataclass
from typing import NamedTuple
@dataclass(frozen=True)
class Plan:
    block: int
    def grid(self, n):
        return (triton.cdiv(n, self.block),)
class P2(NamedTuple):
    a: int = 3
def f(x, y):
    p = Plan(64)
    copy_kernel[p.grid(x.numel())](x, y, P2().a * 2, BLOCK=p.block)
    return x
""",
    "tma": """
from triton.tools.tensor_descriptor import TensorDescriptor
def alloc(size, alignment, stream):
    return torch.empty(size, device="cuda", dtype=torch.int8)
def f(x, y):
    triton.set_allocator(alloc)
    d = TensorDescriptor.from_tensor(x, [32, 32])
    copy_kernel[(1,)](d, y, 3, BLOCK=32)
    return x
""",
    "bench": """
def f(x, y):
    return launch(x)
@triton.testing.perf_report(
    triton.testing.Benchmark(x_names=["n"], x_vals=[1], line_arg="p", line_vals=["t"])
)
def benchmark(n, p):
    x = torch.rand(n)
    return triton.testing.do_bench(lambda: torch.softmax(x, -1))
""",
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_is_pure(name: str, around: Examine) -> None:
    report = around(HONEST[name])
    assert [finding.why for finding in report.fatal] == []
    assert report.composition is Composition.PURE


@pytest.mark.parametrize("name", HONEST)
def test_the_same_with_torch_at_the_end_is_mixed(name: str, around: Examine) -> None:
    ending = "\ndef kernel_function(x, y):\n    return torch.exp(f(x, y))\n"
    source = HONEST[name] + ending
    report = around(source.replace("def f(", "def work(").replace("f(x, y))", "work(x, y))"))
    assert report.entry == "kernel_function"
    assert report.composition is Composition.MIXED
