"""Ways to arbitrary Python, and to something that outlives a call: each is refused.

They stand anywhere in the file: every statement is subject to these rules.
"""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report

Examine = Callable[..., Report]
ENTRY = "def f(x, y):\n    return launch(x)\n"

PYTHON = {
    "param __name__": "def f(x, y, __name__='a'):\n"
    "    if __name__ == '__main__':\n"
    "        import os\n"
    "        os.system('x')\n"
    "    return launch(x)\n",
    "exc obj": "try:\n"
    "    torch.nothere\n"
    "except AttributeError as e:\n"
    "    m = e.obj\n"
    "    m.os.system('x')\n",
    "exc args": "def g():\n"
    "    try:\n"
    "        torch.zzz\n"
    "    except AttributeError as e:\n"
    "        match e:\n"
    "            case AttributeError(obj=m):\n"
    "                m.os.system('x')\n",
    "named tuple device": "from typing import NamedTuple\n"
    "class D(NamedTuple):\n"
    "    type: str = 'cpu'\n"
    "class T(NamedTuple):\n"
    "    device: D = D()\n"
    "def f(x, y):\n"
    "    t = T()\n"
    "    if t.device.type == 'cpu':\n"
    "        import os\n"
    "        os.system('x')\n"
    "    return launch(x)\n",
    "container": "L = [torch]\n",
    "lambda": "g = lambda: torch\ng().os\n",
    "default": "def g(t=torch):\n    t.os\n",
    "star": "def g(*a):\n    a[0].os\ng(torch)\n",
    "kw": "def g(**a):\n    a['t'].os\ng(t=torch)\n",
    "for": "for t in (torch,):\n    t.os\n",
    "with": "import contextlib\nwith contextlib.nullcontext(torch) as t:\n    t.os\n",
    "match": "match torch:\n    case t:\n        t.os\n",
    "dict comp": "d = {0: m for m in [torch]}\n",
    "class attr": "class C:\n    t = torch\nC.t.os\n",
    "self attr": "class C:\n"
    "    def __init__(self):\n"
    "        self.t = torch\n"
    "    def m(self):\n"
    "        self.t.os\n",
    "partial": "import functools\ng = functools.partial(getattr, torch)\ng('os')\n",
    "map getattr": "list(map(getattr, [torch.Tensor], ['__base__']))\n",
    "return mod": "def g():\n    return torch\ng().os\n",
    "yield mod": "def g():\n    yield torch\n",
    "fstring": "y = f'{torch:{launch.__class__}}'\n",
    "fstring2": "y = f'{launch.__globals__!r}'\n",
    "format": "s = '{0.__globals__}'\ns.format(launch)\n",
    "format2": "s = '{0.__glo' + 'bals__}'\ns.format(launch)\n",
    "format3": "str.format('{0.__globals__}', launch)\n",
    "format4": "'{0:{1.__globals__}}'.format(1, launch)\n",
    "format6": "getattr('{0.__globals__}', 'format')(launch)\n",
    "format7": "class S:\n"
    "    def format(self): pass\n"
    "s = '{0._' + '_globals__}'\n"
    "s.format(launch)\n",
    "mangled": "_C__t = torch\nclass C:\n    def m(self):\n        __t.os\n",
    "shadow builtin module": "if 0:\n    eval = None\neval('1')\n",
    "comp shadow": "def g():\n    [0 for eval in ()]\n    eval('1')\n",
    "comp shadow2": "def g():\n    [0 for torch in ()]\n    torch.os\n",
    "except name": "try:\n    pass\nexcept Exception as torch:\n    pass\ntorch.os\n",
    "getattr dyn": "n = 'os'\ngetattr(torch, n)\n",
    "getattr star": "getattr(*[torch.Tensor, '__base__'])\n",
    "type3": "type('C', (), {})\n",
    "type star": "type(*['C', (), {}])\n",
    "T=type": "T = type\nT('C', (), {})\n",
    "metaclass via type": "class C(type):\n    pass\n",
    "gen frame": "(i for i in ()).gi_frame\n",
    "tb": "try:\n    1/0\nexcept Exception as e:\n    e.__traceback__\n",
    "ifexp": "(torch if 1 else 0).os\n",
    "boolop": "(torch or 0).os\n",
    "annot": "def g(a: torch.os.system('x')):\n    pass\n",
    "annot2": "z: torch.os.system('x')\n",
    "deco": "@torch.os.system\ndef g(): pass\n",
    "triton config patch": "triton.Config.__init__ = None\n",
    "ior": "C = {}\ndef f(x, y):\n    C.__ior__({0: launch(x)})\n    return C[0]\n",
    "hash": "def f(x, y):\n    hash(x)\n    return launch(x)\n",
    "dunder slot class": "class C:\n    __class_getitem__ = print\n",
    "dunder call assign": "class C:\n    __getattr__ = launch\n",
    "lambda dunder": "class C:\n    def __getattr__(self, n):\n        return 1\n",
    "driver alias": "from triton.runtime import driver\ndriver.active.utils.load_binary\n",
    "driver active": "from triton.runtime import driver\nu = driver.active.utils\nu.load_binary\n",
    "driver active list": "from triton.runtime import driver\n"
    "u = [driver.active][0]\n"
    "u.utils.load_binary\n",
    "async": "async def g():\n    pass\n",
    "torch.Tensor.numpy alias": "T = [torch.Tensor][0]\nT.numpy\n",
    "module in assert": "assert print(torch)\n",
    "isinstance(torch)": "isinstance(torch, object)\n",
    "set": "{torch}\n",
    "subscript key": "d = {}\nd[torch] = 1\nfor k in d:\n    k.os\n",
    "compare": "(torch == 1)\n",
    "binop": "class C:\n    pass\ntorch + C()\n",
    "bool and": "t = 1 and torch\nt.os\n",
    "nested ifexp list": "t = [torch if 1 else 0][0]\nt.os\n",
    "await": "def g():\n    (yield torch).os\n",
    "raise": "raise ValueError(torch)\n",
    "lambda default": "(lambda t=torch: t.os)()\n",
    "lambda body": "g = lambda: (torch)\n",
    "named expr in list": "[t := torch]\nt.os\n",
    "annassign container": "class C:\n    t: object = torch\n",
    "dataclass default": "from dataclasses import dataclass\n"
    "@dataclass\n"
    "class C:\n"
    "    t: object = torch\n",
}


UNBOUND = {"shadow builtin module", "except name"}
"""In a function the name would be a local variable without a value."""


@pytest.mark.parametrize("name", PYTHON)
@pytest.mark.parametrize("where", ["top", "unused function", "main part"])
def test_ways_to_python_are_refused_wherever_they_stand(
    name: str, where: str, around: Examine
) -> None:
    lines = PYTHON[name]
    if where == "unused function" and name in UNBOUND:
        return
    if where != "top":
        head = "def idle():\n" if where == "unused function" else "if __name__ == '__main__':\n"
        lines = head + "".join(f"    {line}\n" for line in lines.splitlines())
    refused = around(ENTRY + lines).fatal
    assert {finding.rule for finding in refused} & {"introspection", "parts", "imports"}


STATE = {
    "tensor class patch": "def g(T):\n    T.add = None\ng(torch.Tensor)\n",
    "tensor class patch2": "for T in (torch.Tensor,):\n    T.add = None\n",
    "del attr": "del torch.Tensor.add\n",
    "patch func default": "def g(k=launch):\n    k.x = 1\n",
    "aug attr": "torch.x += 1\n",
    "with attr": "import contextlib\nwith contextlib.nullcontext(1) as torch.x:\n    pass\n",
    "tuple attr": "a, torch.x = 1, 2\n",
    "counter": "import itertools\n"
    "C = itertools.count()\n"
    "def f(x, y):\n"
    "    n = next(C)\n"
    "    return launch(x)\n",
    "counter for": "import itertools\n"
    "C = itertools.count()\n"
    "def f(x, y):\n"
    "    for n in C:\n"
    "        break\n"
    "    return launch(x)\n",
    "counter zip": "import itertools\n"
    "C = itertools.count()\n"
    "def f(x, y):\n"
    "    n = list(zip(C, [1]))\n"
    "    return launch(x)\n",
    "gen send": "def g():\n"
    "    v = None\n"
    "    while True:\n"
    "        v = yield v\n"
    "G = g()\n"
    "def f(x, y):\n"
    "    G.send(launch(x))\n"
    "    return launch(x)\n",
    "alias container": "C = []\n"
    "def f(x, y):\n"
    "    c = C\n"
    "    c.append(launch(x))\n"
    "    return C[0]\n",
    "get container": "C = {'a': []}\n"
    "def f(x, y):\n"
    "    c = C.get('a')\n"
    "    c.append(launch(x))\n"
    "    return c[0]\n",
    "augassign list": "C = []\ndef f(x, y):\n    C.extend([launch(x)])\n    return C[0]\n",
    "aug": "C = [None]\ndef f(x, y):\n    C[0] = launch(x)\n    return C[0]\n",
    "aug2": "C = []\ndef f(x, y):\n    global C\n    C += [launch(x)]\n    return C[0]\n",
    "global count": "N = 0\ndef f(x, y):\n    global N\n    N += 1\n    return launch(x)\n",
    "default counter": "def f(x, y, c=[0]):\n    c[0] += 1\n    return launch(x)\n",
    "method append bound": "C = []\n"
    "put = C.append\n"
    "def f(x, y):\n"
    "    put(launch(x))\n"
    "    return C[0]\n",
    "pop": "C = [1,2,3]\ndef f(x, y):\n    C.pop()\n    return launch(x)\n",
    "walrus global": "def f(x, y):\n    global K\n    (K := launch(x))\n    return K\n",
    "for global": "def f(x, y):\n    global K\n    for K in [launch(x)]: pass\n    return K\n",
    "import global": "def f(x, y):\n"
    "    global torch\n"
    "    import math as torch\n"
    "    return launch(x)\n",
    "class state": "class C:\n"
    "    items = []\n"
    "    @classmethod\n"
    "    def add(cls, v):\n"
    "        cls.items.append(v)\n"
    "def f(x, y):\n"
    "    C.add(launch(x))\n"
    "    return C.items[0]\n",
    "instance module-level": "class C:\n"
    "    pass\n"
    "c = C()\n"
    "def f(x, y):\n"
    "    c.k = launch(x)\n"
    "    return c.k\n",
    "kernel attr cache": "def f(x, y):\n    copy_kernel.cache['a'] = launch(x)\n    return x\n",
    "lru call": "import functools\n"
    "g = functools.lru_cache(None)(launch)\n"
    "def f(x, y):\n"
    "    return g(x)\n",
    "lru call2": "import functools\ng = functools.cache(launch)\ndef f(x, y):\n    return g(x)\n",
    "lru partial": "import functools\n"
    "c = [functools.cache]\n"
    "g = c[0](launch)\n"
    "def f(x, y):\n"
    "    return g(x)\n",
    "ctx class": "class Function:\n"
    "    pass\n"
    "class G(Function):\n"
    "    def forward(ctx, x):\n"
    "        ctx.k = x\n"
    "g = G()\n"
    "def f(x, y):\n"
    "    g.forward(launch(x))\n"
    "    return g.k\n",
}


@pytest.mark.parametrize("name", STATE)
def test_ways_to_keep_something_are_refused(name: str, around: Examine) -> None:
    lines = STATE[name] if "def f(" in STATE[name] else STATE[name] + ENTRY
    assert {finding.rule for finding in around(lines).fatal} & {"state", "imports"}


def test_the_same_without_the_trick_is_not(around: Examine) -> None:
    assert not around(ENTRY).findings
