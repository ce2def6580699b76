"""Ways to hide what computes, or to reach where a submission has no business."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]

MIXED = {
    "alias_module": """
import torch as t
g = t.nn.functional
def f(x, y):
    return g.softmax(launch(x), -1)
""",
    "from_as": """
from torch import matmul as m
def f(x, y):
    return m(launch(x), y)
""",
    "walrus": """
def f(x, y):
    launch(x)
    return (h := torch.mm)(x, y)
""",
    "lambda": """
h = lambda a, b: torch.mm(a, b)
def f(x, y):
    return h(launch(x), y)
""",
    "nested": """
def f(x, y):
    def g(a):
        return torch.exp(a)
    return g(launch(x))
""",
    "default": """
def f(x, y, op=torch.add):
    return op(launch(x), y)
""",
    "classbody": """
class C:
    op = torch.mm
def f(x, y):
    return C.op(launch(x), y)
""",
    "compr": """
def f(x, y):
    launch(x)
    return [torch.mm(a, y) for a in [x]][0]
""",
    "dict": """
OPS = {"a": torch.mm}
def f(x, y):
    return OPS["a"](launch(x), y)
""",
    "matmul_op": """
def f(x, y):
    return launch(x) @ y
""",
    "add_op": """
def f(x, y):
    return launch(x) + y
""",
    "inplace": """
def f(x, y):
    return launch(x).add_(y)
""",
    "out": """
def f(x, y):
    out = launch(x)
    torch.add(x, y, out=out)
    return out
""",
    "aug": """
def f(x, y):
    out = launch(x)
    out += y
    return out
""",
    "helper_op": """
def g(a, b):
    return a * b
def f(x, y):
    return g(launch(x), y)
""",
    "partial": """
import functools
g = functools.partial(torch.mm)
def f(x, y):
    return g(launch(x), y)
""",
    "map": """
def f(x, y):
    return list(map(torch.exp, [launch(x)]))[0]
""",
    "bound": """
def f(x, y):
    g = launch(x).sum
    return g()
""",
    "index": """
def f(x, y):
    i = torch.zeros(3, dtype=torch.int64)
    return launch(x)[i]
""",
    "builtin_sum": """
def f(x, y):
    return sum([launch(x), y])
""",
    "Tensor_mm": """
def f(x, y):
    return torch.Tensor.mm(launch(x), y)
""",
    "getattr_lit": """
def f(x, y):
    return getattr(torch, "mm")(launch(x), y)
""",
    "star_unpack": """
def f(x, y):
    a, *b = launch(x), y
    return b[0] * 2
""",
    "method_self": """
class G:
    def __init__(self, a):
        self.a = a
    def go(self):
        return self.a * 2
def f(x, y):
    return G(launch(x)).go()
""",
    "match": """
def f(x, y):
    match launch(x):
        case z:
            return z * 2
""",
    "with_as": """
def f(x, y):
    for z in (launch(x),):
        return -z
""",
    "moved_guard": """
def f(x, y):
    z = x.cpu()
    launch(x)
    if not z.is_cuda:
        return torch.mm(x, y)
    return x
""",
    "guard_rebound": """
def f(x, y):
    launch(x)
    x = x.to("cpu")
    if not x.is_cuda:
        return torch.mm(x, y)
    return x
""",
    "deco_host": """
def deco(g):
    return lambda x, y: torch.mm(x, y)
@deco
def f(x, y):
    return launch(x)
""",
    "autograd": """
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return torch.mm(launch(x), y)
def f(x, y):
    return F.apply(x, y)
""",
}
"""Torch computes beside a launch: each is mixed, however it is spelled."""

REFUSED = {
    "ops": """
def f(x, y):
    return torch.ops.aten.mm(launch(x), y)
""",
    "compile": """
g = torch.compile(lambda a: a)
def f(x, y):
    return g(launch(x))
""",
    "compile_deco": """
@torch.compile
def f(x, y):
    return launch(x)
""",
    "cudagraph": """
def f(x, y):
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):
        launch(x)
    g.replay()
    return x
""",
    "cpp": """
from torch.utils.cpp_extension import load_inline
def f(x, y):
    return launch(x)
""",
    "dunder_mm": """
def f(x, y):
    return launch(x).__matmul__(y)
""",
    "strgetattr": """
def f(x, y):
    return getattr(torch, "m" + "m")(launch(x), y)
""",
    "exec": """
exec("1")
def f(x, y):
    return launch(x)
""",
    "alias_exec": """
e = eval
def f(x, y):
    e("1")
    return launch(x)
""",
    "builtin_via_alias": """
def f(x, y, g=globals):
    return launch(x)
""",
    "torch_os": """
def f(x, y):
    torch.os.system("x")
    return launch(x)
""",
    "typing_sys": """
import typing
def f(x, y):
    typing.sys.exit(0)
    return launch(x)
""",
    "tritonjit_os": """
def f(x, y):
    triton.runtime.jit.os
    return launch(x)
""",
    "star": """
from torch import *
def f(x, y):
    return launch(x)
""",
    "cond_import": """
try:
    import numpy as np
except ImportError:
    np = None
def f(x, y):
    return launch(x)
""",
    "local_import": """
def f(x, y):
    import os
    return launch(x)
""",
    "patch": """
torch.softmax = None
def f(x, y):
    return launch(x)
""",
    "patch2": """
T = torch.Tensor
def f(x, y):
    T.add = None
    return launch(x)
""",
    "backends": """
torch.backends.cuda.matmul.allow_tf32 = True
def f(x, y):
    return launch(x)
""",
    "try": """
def f(x, y):
    try:
        return launch(x)
    except Exception:
        return x
""",
    "try_direct": """
def f(x, y):
    try:
        copy_kernel[(1,)](x, x, 3, BLOCK=4)
    except Exception:
        pass
    return x
""",
    "finally": """
def f(x, y):
    try:
        launch(x)
    finally:
        return x
""",
    "suppress": """
import contextlib
def f(x, y):
    with contextlib.suppress(Exception):
        launch(x)
    return x
""",
    "exit": """
class S:
    def __enter__(self):
        return self
    def __exit__(self, *a):
        return True
def f(x, y):
    with S():
        launch(x)
    return x
""",
    "cache": """
C = {}
def f(x, y):
    if x.shape in C:
        return C[x.shape]
    C[x.shape] = launch(x)
    return C[x.shape]
""",
    "cache_ptr": """
C = {}
def f(x, y):
    k = x.data_ptr()
    r = C.get(k)
    return launch(x)
""",
    "global": """
L = None
def f(x, y):
    global L
    L = launch(x)
    return L
""",
    "default_cache": """
def f(x, y, c={}):
    c[0] = launch(x)
    return c[0]
""",
    "fnattr": """
def f(x, y):
    f.last = launch(x)
    return f.last
""",
    "lru": """
import functools
@functools.lru_cache
def g(x):
    return launch(x)
def f(x, y):
    return g(x)
""",
    "closure": """
def make():
    c = []
    def g(x, y):
        c.append(launch(x))
        return c[-1]
    return g
f = make()
""",
    "rand": """
def f(x, y):
    return launch(torch.randn(3))
""",
    "seed": """
torch.manual_seed(0)
def f(x, y):
    return launch(x)
""",
    "version": """
def f(x, y):
    x._version
    return launch(x)
""",
    "id": """
def f(x, y):
    id(x)
    return launch(x)
""",
    "subclass": """
class T(torch.Tensor):
    pass
def f(x, y):
    return T(launch(x))
""",
    "meta": """
class T(metaclass=type):
    pass
def f(x, y):
    T()
    return launch(x)
""",
    "nolaunch": """
def f(x, y):
    return torch.mm(x, y)
""",
    "afterreturn": """
def f(x, y):
    return torch.mm(x, y)
    launch(x)
""",
    "iffalse": """
def f(x, y):
    if False:
        launch(x)
    return torch.mm(x, y)
""",
    "offdev_launch": """
def f(x, y):
    if not x.is_cuda:
        return launch(x)
    return torch.mm(x, y)
""",
    "kernel_torch": """
@triton.jit
def k(x):
    torch.mm(x, x)
def f(x, y):
    k[(1,)](x)
    return x
""",
    "kernel_host": """
def h(x):
    return x
@triton.jit
def k(x):
    h(x)
def f(x, y):
    k[(1,)](x)
    return x
""",
    "kernel_deco": """
def d(k):
    return k
@d
@triton.jit
def k(x):
    tl.store(x, 1)
def f(x, y):
    k[(1,)](x)
    return x
""",
    "main_reassign": """
__name__ = "__main__"
if __name__ == "__main__":
    import os
def f(x, y):
    return launch(x)
""",
    "setattr": """
def f(x, y):
    setattr(x, "a", 1)
    return launch(x)
""",
    "sysexit": """
def f(x, y):
    raise SystemExit(0)
""",
    "fmt": """
def f(x, y):
    "{0.__class__}".format(x)
    return launch(x)
""",
    "pre_hook": """
def hook(args, **k):
    import os
@triton.autotune(configs=[triton.Config({"BLOCK": 64}, pre_hook=hook)], key=["n"])
@triton.jit
def k2(x, n, BLOCK: tl.constexpr):
    tl.store(x, 1)
def f(x, y):
    k2[(1,)](x, 3)
    return x
""",
    "stream": """
def f(x, y):
    with torch.cuda.stream(torch.cuda.Stream()):
        return launch(x)
""",
}
"""Each is refused, by the rule in `RULE`."""

RULE = {
    "ops": "parts",
    "compile": "parts",
    "compile_deco": "parts",
    "cudagraph": "parts",
    "cpp": "imports",
    "dunder_mm": "introspection",
    "strgetattr": "introspection",
    "exec": "introspection",
    "alias_exec": "introspection",
    "builtin_via_alias": "introspection",
    "torch_os": "parts",
    "typing_sys": "parts",
    "tritonjit_os": "parts",
    "star": "imports",
    "cond_import": "imports",
    "local_import": "imports",
    "patch": "state",
    "patch2": "state",
    "backends": "parts",
    "try": "fallback",
    "try_direct": "fallback",
    "finally": "fallback",
    "suppress": "fallback",
    "exit": "introspection",
    "cache": "state",
    "cache_ptr": "state",
    "global": "state",
    "default_cache": "state",
    "fnattr": "state",
    "lru": "state",
    "closure": "state",
    "rand": "randomness",
    "seed": "randomness",
    "version": "introspection",
    "id": "introspection",
    "subclass": "introspection",
    "meta": "introspection",
    "nolaunch": "kernels",
    "afterreturn": "kernels",
    "iffalse": "kernels",
    "offdev_launch": "kernels",
    "kernel_torch": "kernel_body",
    "kernel_host": "kernel_body",
    "kernel_deco": "kernels",
    "main_reassign": "introspection",
    "setattr": "introspection",
    "sysexit": "kernels",
    "fmt": "introspection",
    "pre_hook": "imports",
    "stream": "parts",
}


@pytest.mark.parametrize("name", MIXED)
def test_torch_at_work_is_seen_through(name: str, around: Examine) -> None:
    report = around(MIXED[name])
    assert report.composition is Composition.MIXED
    assert not report.fatal


def test_the_same_without_torch_at_work_is_pure(around: Examine) -> None:
    report = around("def f(x, y):\n    return launch(x)\n")
    assert report.composition is Composition.PURE
    assert not report.findings


@pytest.mark.parametrize("name", REFUSED)
def test_tricks_are_refused_with_a_line(name: str, around: Examine) -> None:
    report = around(REFUSED[name])
    assert RULE[name] in {finding.rule for finding in report.fatal}
    assert all(finding.line >= 1 for finding in report.fatal)
