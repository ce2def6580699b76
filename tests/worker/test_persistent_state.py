"""What a call leaves for the next one is seen, whatever holds it."""

import types
from textwrap import dedent
from typing import Any

import pytest
import torch

from kernelbenchx.worker.persistent_state import PersistentState

X = {"t": "tensor", "dtype": "float32", "shape": [4], "strides": [1], "offset": 0}
CALL = {"args": [X], "kwargs": {}, "init": [], "state": {}}
IMPORTS = "import collections, contextlib, enum, functools, itertools, torch\n"


def kept_by(
    source: str,
    calls: tuple[dict[str, Any], ...] = (CALL, CALL),
    norm: frozenset[str] = frozenset(),
) -> list[list[str]]:
    """What each call of `f`, or of an object of `ModelNew`, leaves."""
    module = types.ModuleType("submission")
    exec(IMPORTS + dedent(source), module.__dict__)
    entry = module.f if hasattr(module, "f") else module.ModelNew()
    state = PersistentState(module, on=True)
    found = []
    for number, call in enumerate(calls):
        x = torch.arange(4.0) + number
        state.begin(entry, [x])
        with torch.no_grad():
            entry(x)
        found.append(state.changes(entry, [x], call, norm))
    return found


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("K = {}\ndef f(x):\n    K['k'] = x * 2\n", "K.k"),
        ("K = []\np = functools.partial(list.append, K)\ndef f(x):\n    p(x * 2)\n", "K"),
        ("def f(x, kept=[]):\n    kept.append(x * 2)\n", "f"),
        ("def f(x):\n    f.kept = x * 2\n", "f.kept"),
        ("class C:\n    pass\ndef f(x):\n    C.kept = x * 2\n", "C.kept"),
        ("class C:\n    __slots__ = ('kept',)\nc = C()\ndef f(x):\n    c.kept = x * 2\n", "c.kept"),
        ("K = torch.zeros(4)\ndef f(x):\n    K.grad = x * 2\n", "K"),
        ("def f(x):\n    x.grad = x * 2\n", "argument 0"),
        ("def f(x):\n    x.kept = x * 2\n", "argument 0.kept"),
        (
            "def make(k):\n    def f(x):\n        k.append(x)\n    return f\nf = make([])\n",
            "f.k",
        ),
        ("@functools.cache\ndef g(x):\n    return x * 2\ndef f(x):\n    g(x)\n", "a result of g"),
        ("class E(enum.Enum):\n    A = {}\ndef f(x):\n    E.A.value[0] = x * 2\n", ""),
        ("K = contextlib.nullcontext([])\ndef f(x):\n    K.enter_result.append(x * 2)\n", ""),
        ("K = torch.zeros(4)\ndef f(x):\n    K.copy_(x + 1)\n", "K"),
        ("K = torch.zeros(4)\ndef f(x):\n    K.data = x + 1\n", "K"),
        ("K = torch.zeros(8)\ndef f(x):\n    K.numpy()[:4] = 3 + x.numpy()\n", "K"),
    ],
)  # fmt: skip
def test_a_tensor_that_any_call_keeps_is_seen(source: str, name: str) -> None:
    first, _ = kept_by(source)
    assert first[0].startswith(name)


@pytest.mark.parametrize(
    "source",
    [
        "N = [0]\ndef f(x):\n    N[0] += 1\n",
        "n = 0\ndef f(x):\n    global n\n    n += 1\n",
        "N = itertools.count()\ndef f(x):\n    next(N)\n",
        "N = iter(range(99))\ndef f(x):\n    next(N)\n",
        "N = zip(itertools.cycle([1, 2]), itertools.count())\ndef f(x):\n    next(N)\n",
        "class C:\n    n = iter([1] * 9)\nc = C()\ndef f(x):\n    next(c.n)\n",
        "N = (n for n in range(99))\ndef f(x):\n    next(N)\n",
        "D = collections.defaultdict(itertools.count().__next__)\ndef f(x):\n    D[id(x)]\n",
        "@functools.cache\ndef g():\n    return []\ndef f(x):\n    g().append(1)\n",
        "@functools.lru_cache(2)\ndef g():\n    return {}\ndef f(x):\n    g()[len(g())] = 1\n",
        "G = torch.Generator()\ndef f(x):\n    torch.rand(1, generator=G)\n",
        "T = torch.zeros(1)\ndef f(x):\n    T.unsqueeze_(0)\n",
        "T = torch.zeros(1)\ndef f(x):\n    T.requires_grad_(not T.requires_grad)\n",
        "E = ValueError()\ndef f(x):\n    E.add_note('again')\n",
        "class N(int):\n    pass\nn = N()\nn.k = []\ndef f(x):\n    n.k.append(1)\n",
        "class D(dict):\n    def items(self):\n        return ()\n"
        "D = D()\ndef f(x):\n    D[len(D)] = 1\n",
        "L = list(range(999))\ndef f(x):\n    L[7] += 1\n",
        "def f(x):\n    torch.set_default_dtype(torch.float32 if torch.get_default_dtype() is "
        "torch.float64 else torch.float64)\n",
        "def inner():\n    yield from itertools.count()\n"
        "def g():\n    yield from inner()\nN = g()\ndef f(x):\n    next(N)\n",
        "N = (1 for _ in range(99))\ndef f(x):\n    next(N)\n",
        "O = collections.OrderedDict(a=1, b=2)\ndef f(x):\n    O.move_to_end(next(iter(O)))\n",
        "B = bytearray(4)\ndef f(x):\n    B[0] += 1\n",
    ],
)
def test_a_count_is_seen_when_a_form_comes_again(source: str) -> None:
    first, second = kept_by(source)
    assert not first
    assert second


@pytest.mark.parametrize(
    "source",
    [
        "N = {}\ndef f(x):\n    N[x.shape] = 4\n",
        "n = None\ndef f(x):\n    global n\n    n = 4\n",
        "@functools.lru_cache(8)\ndef g(n):\n    return n * 2\ndef f(x):\n    g(x[0].item())\n",
        "T = torch.ones(4)\ndef f(x):\n    return x * T\n",
        "L = list(range(999))\ndef f(x):\n    return x * L[7]\n",
        "E = ValueError()\ndef f(x):\n    try:\n        raise E\n    except ValueError:\n"
        "        return x\n",
        "T = torch.ones(4)\ndef f(x):\n    T.data = T.data.clone()\n    return x * T\n",
        "LOCK = torch.zeros(1)\ndef f(x):\n    LOCK.add_(1)\n    LOCK.sub_(1)\n",
        "def f(x):\n    numbers = itertools.count()\n    return next(numbers)\n",
        "class ModelNew(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.packed = torch.nn.Linear(4, 4).weight.t().contiguous()\n"
        "    def forward(self, x):\n        return x @ self.packed\n",
    ],
)
def test_facts_that_are_known_after_the_first_call_are_not_state(source: str) -> None:
    assert kept_by(source) == [[], []]


def test_statistics_are_written_by_a_norm_alone() -> None:
    source = """
        class ModelNew(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("running_mean", torch.zeros(1))
            def forward(self, x):
                self.running_mean.mul_(0.9).add_(x.mean())
    """
    assert kept_by(source, norm=frozenset({"running_mean"})) == [[], []]
    assert kept_by(source) == [["self.running_mean"], ["self.running_mean"]]


def test_other_shapes_and_numbers_are_another_form() -> None:
    wider = CALL | {"args": [X | {"shape": [8]}]}
    source = "N = []\ndef f(x):\n    N.append(1)\n"
    assert kept_by(source, (CALL, wider)) == [[], []]
    assert kept_by(source, (CALL, wider, CALL)) == [[], [], ["N"]]


def test_what_a_call_without_kernels_leaves_does_not_count() -> None:
    source = "K = torch.zeros(4)\ndef f(x):\n    K.copy_(x + 1)\n"
    assert kept_by(source, (CALL | {"ablate": True}, CALL)) == [[], ["K"]]
