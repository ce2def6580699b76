"""Ways to reach where a submission has no business: each is refused, by the rule named."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report

Examine = Callable[..., Report]

REFUSED = {
    ("parts", "ops"): ("def f(x, y):\n    return torch.ops.aten.mm(launch(x), y)\n"),
    ("parts", "compile"): (
        "g = torch.compile(lambda a: a)\ndef f(x, y):\n    return g(launch(x))\n"
    ),
    ("parts", "compile_deco"): ("@torch.compile\ndef f(x, y):\n    return launch(x)\n"),
    ("state", "kept_cudagraph"): (
        "KEPT = {}\ndef f(x, y):\n    g = torch.cuda.CUDAGraph()\n    with torch.cuda.graph(g):\n"
        "        launch(x)\n    KEPT[x.shape] = g\n    g.replay()\n    return x\n"
    ),
    ("parts", "side_stream"): (
        "def f(x, y):\n    with torch.cuda.stream(torch.cuda.Stream()):\n        return launch(x)\n"
    ),
    ("imports", "cpp"): (
        "from torch.utils.cpp_extension import load_inline\ndef f(x, y):\n"
        "    return load_inline(launch(x))\n"
    ),
    ("introspection", "dunder_mm"): ("def f(x, y):\n    return launch(x).__matmul__(y)\n"),
    ("introspection", "strgetattr"): (
        'def f(x, y):\n    return getattr(torch, "m" + "m")(launch(x), y)\n'
    ),
    ("introspection", "exec"): ('exec("1")\ndef f(x, y):\n    return launch(x)\n'),
    ("introspection", "alias_exec"): ('e = eval\ndef f(x, y):\n    e("1")\n    return launch(x)\n'),
    ("introspection", "builtin_via_alias"): ("def f(x, y, g=globals):\n    return launch(x)\n"),
    ("parts", "torch_os"): ('def f(x, y):\n    torch.os.system("x")\n    return launch(x)\n'),
    ("parts", "typing_sys"): (
        "import typing\ndef f(x, y):\n    typing.sys.exit(0)\n    return launch(x)\n"
    ),
    ("parts", "tritonjit_os"): ("def f(x, y):\n    triton.runtime.jit.os\n    return launch(x)\n"),
    ("imports", "star"): ("from torch import *\ndef f(x, y):\n    return launch(x)\n"),
    ("imports", "cond_import"): (
        "try:\n    import numpy as np\nexcept ImportError:\n    np = None\ndef f(x, y):\n"
        "    return launch(x) if np else x\n"
    ),
    ("imports", "local_import"): ("def f(x, y):\n    import os\n    os\n    return launch(x)\n"),
    ("state", "patch"): ("torch.softmax = None\ndef f(x, y):\n    return launch(x)\n"),
    ("state", "patch2"): (
        "T = torch.Tensor\ndef f(x, y):\n    T.add = None\n    return launch(x)\n"
    ),
    ("parts", "backends"): (
        "torch.backends.cuda.matmul.allow_tf32 = True\ndef f(x, y):\n    return launch(x)\n"
    ),
    ("fallback", "try"): (
        "def f(x, y):\n    try:\n        return launch(x)\n    except Exception:\n"
        "        return x\n"
    ),
    ("fallback", "try_direct"): (
        "def f(x, y):\n    try:\n        copy_kernel[(1,)](x, x, 3, BLOCK=4)\n"
        "    except Exception:\n        pass\n    return x\n"
    ),
    ("fallback", "finally"): (
        "def f(x, y):\n    try:\n        launch(x)\n    finally:\n        return x\n"
    ),
    ("introspection", "exit"): (
        "class S:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, *a):\n        return True\ndef f(x, y):\n    with S():\n"
        "        launch(x)\n    return x\n"
    ),
    ("state", "cache"): (
        "C = {}\ndef f(x, y):\n    if x.shape in C:\n        return C[x.shape]\n"
        "    C[x.shape] = launch(x)\n    return C[x.shape]\n"
    ),
    ("state", "global"): (
        "L = None\ndef f(x, y):\n    global L\n    L = launch(x)\n    return L\n"
    ),
    ("state", "default_cache"): ("def f(x, y, c={}):\n    c[0] = launch(x)\n    return c[0]\n"),
    ("state", "fnattr"): ("def f(x, y):\n    f.last = launch(x)\n    return f.last\n"),
    ("state", "lru"): (
        "import functools\n@functools.lru_cache\ndef g(x):\n    return launch(x)\n"
        "def f(x, y):\n    return g(x)\n"
    ),
    ("state", "closure"): (
        "def make():\n    c = []\n    def g(x, y):\n        c.append(launch(x))\n"
        "        return c[-1]\n    return g\nf = make()\n"
    ),
    ("randomness", "rand"): ("def f(x, y):\n    return launch(torch.randn(3))\n"),
    ("introspection", "version"): ("def f(x, y):\n    x._version\n    return launch(x)\n"),
    ("introspection", "id"): ("def f(x, y):\n    id(x)\n    return launch(x)\n"),
    ("introspection", "subclass"): (
        "class T(torch.Tensor):\n    pass\ndef f(x, y):\n    return T(launch(x))\n"
    ),
    ("introspection", "meta"): (
        "class T(metaclass=type):\n    pass\ndef f(x, y):\n    T()\n    return launch(x)\n"
    ),
    ("kernels", "nolaunch"): ("def f(x, y):\n    return torch.mm(x, y)\n"),
    ("kernel_body", "kernel_torch"): (
        "@triton.jit\ndef k(x):\n    torch.mm(x, x)\ndef f(x, y):\n    k[(1,)](x)\n    return x\n"
    ),
    ("kernel_body", "kernel_host"): (
        "def h(x):\n    return x\n@triton.jit\ndef k(x):\n    h(x)\ndef f(x, y):\n"
        "    k[(1,)](x)\n    return x\n"
    ),
    ("kernels", "kernel_deco"): (
        "def d(k):\n    return k\n@d\n@triton.jit\ndef k(x):\n    tl.store(x, 1)\n"
        "def f(x, y):\n    k[(1,)](x)\n    return x\n"
    ),
    ("introspection", "main_reassign"): (
        '__name__ = "__main__"\nif __name__ == "__main__":\n    import os\ndef f(x, y):\n'
        "    return launch(x)\n"
    ),
    ("introspection", "setattr"): ('def f(x, y):\n    setattr(x, "a", 1)\n    return launch(x)\n'),
    ("kernels", "sysexit"): ("def f(x, y):\n    raise SystemExit(0)\n"),
    ("introspection", "fmt"): (
        'def f(x, y):\n    "{0.__class__}".format(x)\n    return launch(x)\n'
    ),
    ("imports", "pre_hook"): (
        "def hook(args, **k):\n    import os\n    os.getpid()\n"
        '@triton.autotune(configs=[triton.Config({"BLOCK": 64}, pre_hook=hook)], key=["n"])\n'
        "@triton.jit\ndef k2(x, n, BLOCK: tl.constexpr):\n    tl.store(x, 1)\n"
        "def f(x, y):\n    k2[(1,)](x, 3)\n    return x\n"
    ),
    ("parts", "stream"): (
        "def f(x, y):\n    with torch.cuda.stream(torch.cuda.Stream()):\n        return launch(x)\n"
    ),
    ("entry", "rebound_entry"): ("def f(x, y):\n    return launch(x)\nf = torch.softmax\n"),
    ("kernels", "redefined"): (
        "def f(x, y):\n    return launch(x)\ndef f(x, y):\n    return torch.exp(x)\n"
    ),
    ("introspection", "classbody_exec"): (
        'class C:\n    exec("1")\ndef f(x, y):\n    return launch(x)\n'
    ),
    ("introspection", "inner_class"): (
        'def f(x, y):\n    class C:\n        z = eval("1")\n    return launch(x)\n'
    ),
    ("introspection", "frames"): (
        "def f(x, y):\n    (i for i in x).gi_frame.f_globals\n    return launch(x)\n"
    ),
    ("parts", "typehints"): (
        "import typing\ndef f(x, y):\n    typing.get_type_hints(f)\n    return launch(x)\n"
    ),
    ("kernels", "fn"): ("def f(x, y):\n    launch(x)\n    return copy_kernel.fn(x, y, 3, 4)\n"),
    ("kernels", "jitcall"): (
        "def g(a, b):\n    return a + b\nk = triton.jit(g)\ndef f(x, y):\n    launch(x)\n"
        "    return g(x, y)\n"
    ),
    ("kernels", "jitmap"): (
        "@triton.jit\ndef g(a, b):\n    return a + b\ndef f(x, y):\n    launch(x)\n"
        "    return list(map(g, [x], [y]))[0]\n"
    ),
    ("fallback", "sync"): (
        "def f(x, y):\n    out = launch(x)\n    try:\n        torch.cuda.synchronize()\n"
        "    except RuntimeError:\n        return torch.mm(x, y)\n    return out\n"
    ),
    ("introspection", "numpy"): ("def f(x, y):\n    x.cpu().numpy()\n    return launch(x)\n"),
    ("parts", "knobs"): (
        "def f(x, y):\n    triton.knobs.runtime\n    tl.core.knobs\n    return launch(x)\n"
    ),
    ("state", "del"): ("del torch.mm\ndef f(x, y):\n    return launch(x)\n"),
    ("state", "for_attr"): ("for torch.x in [1]:\n    pass\ndef f(x, y):\n    return launch(x)\n"),
    ("introspection", "toplambda"): ('(lambda: exec("1"))()\ndef f(x, y):\n    return launch(x)\n'),
    ("fallback", "callback"): (
        "def safe(fn, *a):\n    try:\n        return fn(*a)\n    except Exception:\n"
        "        return None\ndef f(x, y):\n    return safe(launch, x)\n"
    ),
    ("imports", "relimp"): ("from . import x\ndef f(x, y):\n    return launch(x)\n"),
    ("introspection", "modulegetattr"): (
        "def __getattr__(name):\n    return 1\ndef f(x, y):\n    return launch(x)\n"
    ),
    ("kernel_body", "kernelstate"): (
        "S = [0]\n@triton.jit\ndef k(x):\n    S[0] = 1\n    tl.store(x, 1)\ndef f(x, y):\n"
        "    k[(1,)](x)\n    return x\n"
    ),
    ("kernel_body", "kernel_import"): (
        "@triton.jit\ndef k(x):\n    import os\n    tl.store(x, 1)\ndef f(x, y):\n"
        "    k[(1,)](x)\n    return x\n"
    ),
    ("imports", "kernel_np"): (
        "import numpy as np\n@triton.jit\ndef k(x):\n    np.sum(x)\ndef f(x, y):\n"
        "    k[(1,)](x)\n    return x\n"
    ),
    ("kernel_body", "kernel_exec"): (
        '@triton.jit\ndef k(x):\n    exec("1")\ndef f(x, y):\n    k[(1,)](x)\n    return x\n'
    ),
    ("kernel_body", "kernel_alias"): (
        "h = torch.mm\n@triton.jit\ndef k(x):\n    h(x, x)\ndef f(x, y):\n    k[(1,)](x)\n"
        "    return x\n"
    ),
    ("kernel_body", "extern"): (
        "@triton.jit\ndef k(x):\n"
        '    tl.extern_elementwise("a", "b", [x], {}, is_pure=True)\ndef f(x, y):\n'
        "    k[(1,)](x)\n    return x\n"
    ),
}


@pytest.mark.parametrize(("rule", "name"), REFUSED)
def test_tricks_are_refused_with_a_line(rule: str, name: str, around: Examine) -> None:
    report = around(REFUSED[rule, name])
    assert rule in {finding.rule for finding in report.fatal}
    assert all(finding.line >= 1 for finding in report.fatal)


def test_the_same_without_the_trick_is_not(around: Examine) -> None:
    assert not around("def f(x, y):\n    return launch(x)\n").findings
