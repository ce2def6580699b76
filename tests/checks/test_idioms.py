"""Harmless idioms of code that people and models write: none is refused, and all are pure."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]

IDIOMS = {
    "demo": "def f(x, y):\n"
    "    return launch(x)\n"
    "x = torch.randn(1024, device='cuda')\n"
    "y = torch.rand(3)\n"
    "print(f(x, y))\n"
    "assert torch.allclose(f(x, y), x)\n",
    "demo_input": "def f(x, y):\n"
    "    return launch(x)\n"
    "input = torch.randn(3)\n"
    "out = f(input, input)\n"
    "print('max', (out - input).abs().max().item())\n",
    "main": "def f(x, y):\n"
    "    return launch(x)\n"
    "def main():\n"
    "    torch.manual_seed(0)\n"
    "    x = torch.randn(3)\n"
    "    start = torch.cuda.Event(enable_timing=True)\n"
    "    start.record()\n"
    "    f(x, x)\n"
    "    torch.cuda.synchronize()\n"
    "    torch.testing.assert_close(f(x, x), x)\n"
    "    print(f'{start.elapsed_time(start):.3f} ms')\n"
    "if __name__ == '__main__':\n"
    "    main()\n",
    "idle_imports": "import logging, os\n"
    "import numpy as np\n"
    "import random\n"
    "import time\n"
    "import warnings\n"
    "from typing import Optional\n"
    "def f(x, y):\n"
    "    return launch(x)\n",
    "dataclass_type": "from dataclasses import dataclass\n"
    "@dataclass\n"
    "class C:\n"
    "    type: str = 'a'\n"
    "    id: int = 0\n"
    "def f(x, y):\n"
    "    return launch(x)\n",
    "device": "DEVICE = triton.runtime.driver.active.get_active_torch_device()\n"
    "def f(x, y):\n"
    "    return launch(x)\n",
    "driver": "from triton.runtime import driver\n"
    "props = driver.active.utils.get_device_properties(0)\n"
    "NUM = props['multiprocessor_count']\n"
    "def f(x, y):\n"
    "    return launch(x)\n",
    "libdevice": "libdevice = tl.extra.cuda.libdevice if hasattr(tl, 'extra') else tl.math\n"
    "@triton.jit\n"
    "def k(x):\n"
    "    tl.store(x, libdevice.tanh(tl.load(x)))\n"
    "def f(x, y):\n"
    "    k[(1,)](x)\n"
    "    return x\n",
    "libdevice2": "try:\n"
    "    from triton.language.extra.cuda import libdevice\n"
    "except ImportError:\n"
    "    libdevice = tl.math\n"
    "if libdevice is None:\n"
    "    libdevice = tl.math\n"
    "def f(x, y):\n"
    "    return launch(x)\n",
    "module_class": "import torch.nn as nn\n"
    "import torch.nn.functional as F\n"
    "class M(nn.Module):\n"
    "    def __init__(self, n):\n"
    "        super().__init__()\n"
    "        self.w = nn.Parameter(torch.empty(n))\n"
    "        self._n = n\n"
    "        self.kernel = copy_kernel\n"
    "    def forward(self, x):\n"
    "        out = torch.empty_like(x)\n"
    "        self.kernel[(1,)](out, x, self._n, BLOCK=4)\n"
    "        return out\n"
    "def f(x, y):\n"
    "    return M(3)(x)\n",
    "autograd": "class G(torch.autograd.Function):\n"
    "    @staticmethod\n"
    "    def forward(ctx, x, y):\n"
    "        ctx.save_for_backward(x)\n"
    "        ctx.n = 3\n"
    "        return launch(x)\n"
    "    @staticmethod\n"
    "    def backward(ctx, g):\n"
    "        x, = ctx.saved_tensors\n"
    "        return g * x, None\n"
    "def f(x, y):\n"
    "    return G.apply(x, y)\n",
    "prehook": "def hook(nargs):\n"
    "    nargs['a'].block_shape = [1, 2]\n"
    "    nargs['b'].zero_()\n"
    "@triton.autotune(configs=[triton.Config({'BLOCK': 64}, pre_hook=hook)], key=['n'])\n"
    "@triton.jit\n"
    "def k(a, b, n, BLOCK: tl.constexpr):\n"
    "    tl.store(a, 1)\n"
    "def f(x, y):\n"
    "    k[(1,)](x, y, 3)\n"
    "    return x\n",
    "dtype": "def f(x, y, dtype=None, device=None):\n"
    "    dtype = dtype or torch.float32\n"
    "    device = device if device is not None else x.device\n"
    "    out = torch.empty(3, dtype=dtype, device=device)\n"
    "    out[0] = 1\n"
    "    out.zero_()\n"
    "    shape = list(x.shape)\n"
    "    shape.append(3)\n"
    "    shape.sort()\n"
    "    return launch(out)\n",
    "opts": "OPTS = {'a': 1}\n"
    "def f(x, y):\n"
    "    o = dict(OPTS)\n"
    "    o['b'] = x.shape\n"
    "    p = OPTS.copy()\n"
    "    p['c'] = x\n"
    "    return launch(x)\n",
    "format": "MSG = 'bad {} {:.3f}'\n"
    "def f(x, y):\n"
    "    assert x.dim() == 1, MSG.format(x.dim(), 1.0)\n"
    "    assert 1, '{0} {name}'.format(1, name=2)\n"
    "    return launch(x)\n",
    "globals_table": "_DT = {torch.float32: tl.float32, torch.float16: tl.float16}\n"
    "_K = {'a': copy_kernel}\n"
    "def f(x, y):\n"
    "    d = _DT[x.dtype]\n"
    "    k = _K.get('a', copy_kernel)\n"
    "    k[(1,)](x, y, 3, BLOCK=4)\n"
    "    return x\n",
    "helper_out": "def helper(x, out=None):\n"
    "    if out is None:\n"
    "        out = torch.empty_like(x)\n"
    "    out.copy_(x)\n"
    "    return out\n"
    "def f(x, y):\n"
    "    r = helper(x)\n"
    "    r.fill_(0)\n"
    "    return launch(r)\n",
    "jit_in_class": "class K:\n"
    "    BLOCK = 128\n"
    "    @staticmethod\n"
    "    @triton.jit\n"
    "    def kern(x, n, BLOCK: tl.constexpr):\n"
    "        tl.store(x, 1)\n"
    "    @classmethod\n"
    "    def run(cls, x):\n"
    "        cls.kern[(1,)](x, 3, BLOCK=cls.BLOCK)\n"
    "        return x\n"
    "def f(x, y):\n"
    "    return K.run(x)\n",
    "local_fn": "def f(x, y):\n"
    "    res = []\n"
    "    def visit(t):\n"
    "        res.append(t)\n"
    "    visit(x)\n"
    "    outs = [launch(t) for t in res]\n"
    "    n = sum(1 for _ in outs)\n"
    "    return outs[0]\n",
    "instance_state": "class Plan:\n"
    "    def __init__(self, x):\n"
    "        self.x = x\n"
    "        self.parts = []\n"
    "    def add(self, v):\n"
    "        return v\n"
    "def f(x, y):\n"
    "    p = Plan(x)\n"
    "    p.scale = 2\n"
    "    p.add(3)\n"
    "    return launch(p.x)\n",
    "slots": "class Plan:\n"
    "    __slots__ = ('a',)\n"
    "__version__ = '1'\n"
    "def f(x, y):\n"
    "    return launch(x)\n",
    "ann": "from typing import Callable, Optional, Union, List\n"
    "def g(a: 'Optional[torch.Tensor]', b: Union[int, float], c: Callable,\n"
    "      gen: Optional[torch.Generator] = None) -> List[torch.dtype]:\n"
    "    return []\n"
    "def f(x, y):\n"
    "    return launch(x)\n",
    "persistent": "def num_sms():\n"
    "    return torch.cuda.get_device_properties('cuda').multi_processor_count\n"
    "def f(x, y):\n"
    "    return launch(x)\n",
    "set_default": "@torch.no_grad()\n"
    "def f(x, y):\n"
    "    with torch.inference_mode():\n"
    "        return launch(x)\n",
    "bench": "def f(x, y):\n"
    "    return launch(x)\n"
    "@triton.testing.perf_report(\n"
    "    triton.testing.Benchmark(x_names=['n'], x_vals=[1], line_arg='p', args={}))\n"
    "def bench(n, p):\n"
    "    x = torch.randn(n)\n"
    "    ms = triton.testing.do_bench(lambda: f(x, x))\n"
    "    return ms\n"
    "bench.run(print_data=True)\n",
    "messages": "import logging, warnings\n"
    "logging.basicConfig(level=logging.INFO, format='%(message)s')\n"
    "logger = logging.getLogger(__name__)\n"
    "warnings.filterwarnings('ignore', category=FutureWarning)\n"
    "def f(x, y):\n"
    "    log = logging.getLogger('f')\n"
    "    log.info('%s', x.shape)\n"
    "    logger.debug('called')\n"
    "    warnings.warn('slow', stacklevel=2)\n"
    "    return launch(x)\n",
    "cudnn": "from torch.backends import cudnn\n"
    "cudnn.benchmark = True\n"
    "def f(x, y):\n"
    "    torch.backends.cudnn.benchmark = False\n"
    "    return launch(x)\n",
    "operator": "@torch.library.custom_op('own::g', mutates_args=())\n"
    "def g(x: torch.Tensor) -> torch.Tensor:\n"
    "    return launch(x)\n"
    "@g.register_fake\n"
    "def _(x):\n"
    "    return torch.empty_like(x)\n"
    "def f(x, y):\n"
    "    return g(x)\n",
    "triton_operator": "from torch.library import triton_op, wrap_triton\n"
    "@triton_op('own::g', mutates_args={})\n"
    "def g(x: torch.Tensor) -> torch.Tensor:\n"
    "    out = torch.empty_like(x)\n"
    "    wrap_triton(copy_kernel)[(1,)](out, x, x.numel(), BLOCK=128)\n"
    "    return out\n"
    "def f(x, y):\n"
    "    return g(x)\n",
    "sizes": "def f(x, y):\n"
    "    n = torch.prod(torch.tensor(x.shape)).item()\n"
    "    m = int(torch.tensor(list(x.shape[1:])).prod())\n"
    "    return launch(x)\n",
}


@pytest.mark.parametrize("name", IDIOMS)
def test_idioms_are_accepted(name: str, around: Examine) -> None:
    report = around(IDIOMS[name])
    assert [finding.why for finding in report.fatal] == []
    assert report.composition is Composition.PURE


@pytest.mark.parametrize("name", IDIOMS)
def test_with_python_beside_it_the_same_is_refused(name: str, around: Examine) -> None:
    assert around(IDIOMS[name] + "torch.os.getpid()\n").fatal


MISUSED = {
    "a logger's handlers": ("messages", "logger.debug('called')", "logger.handlers.append(x)"),
    "a logger's level": ("messages", "logger.debug('called')", "n = logger.level"),
    "a level set": ("messages", "logger.debug('called')", "logger.setLevel(10)"),
    "a logger in a list": ("messages", "logger.debug('called')", "box = [logger]"),
    "a logger of a class": ("messages", "def f", "class C:\n    log = logging.getLogger()\ndef f"),
    "the tree of loggers": ("messages", "log.info", "log.manager.loggerDict.get"),
    "a handler": ("messages", "format='%(message)s'", "handlers=[print]"),
    "warnings as errors": ("messages", "'ignore'", "'error'"),
    "warnings seen before": ("messages", "logger.debug('called')", "print(__warningregistry__)"),
    "a setting that is read": ("cudnn", "    return", "    n = cudnn.benchmark\n    return"),
    "a setting by a value": ("cudnn", "= False", "= x.numel() > 3"),
    "another setting": ("cudnn", "cudnn.benchmark = True", "cudnn.deterministic = False"),
    "products in TF32": ("cudnn", "cudnn.benchmark = True", "cudnn.allow_tf32 = True"),
    "products as rough": (
        "cudnn",
        "cudnn.b",
        "torch.set_float32_matmul_precision('high')\ncudnn.b",
    ),
    "an operator that is no decorator": ("operator", "return g(x)", "h = g\n    return h(x)"),
    "an operator switched off": (
        "operator",
        "return g",
        "g.set_kernel_enabled('cpu')\n    return g",
    ),
    "a second kernel": ("operator", "g.register_fake", "g.register_kernel('cpu')"),
    "a library": ("operator", "def f", "lib = torch.library.Library('aten', 'IMPL')\ndef f"),
    "a wrapped kernel that is kept": ("triton_operator", "def g", "k = wrap_triton(launch)\ndef g"),
}


@pytest.mark.parametrize("case", MISUSED.values(), ids=MISUSED)
def test_what_such_an_idiom_could_keep_or_change_is_refused(
    case: tuple[str, str, str], around: Examine
) -> None:
    name, honest, other = case
    assert honest in IDIOMS[name]
    assert around(IDIOMS[name].replace(honest, other, 1)).fatal


@pytest.mark.parametrize("given", ["x", "x.tolist()", "[x.sum()]"])
def test_torch_on_anything_but_sizes_computes(given: str, around: Examine) -> None:
    lines = f"def f(x, y):\n    torch.prod(torch.tensor({given}))\n    return launch(x)\n"
    assert around(lines).composition is Composition.MIXED
