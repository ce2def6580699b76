"""Stand-ins for torch and the function under test that write down what a test does with them."""

import ast
import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import torch
from published_test_files import TestFile
from published_test_values import UNKNOWN, NotRecordable, Recorded, plain, spell

from kernelbenchx.worker.published_program import (
    DRAWS,
    FUNCTIONS,
    draw_outliers,
    draw_uniform,
    seed_all,
)

_RANDOM = ("randn", "rand", "zeros", "ones", "empty")
_DRAWN_WITH = {
    "outlier": (draw_outliers, [("outlier_prob", 0.001), ("outlier_scale", 50.0)]),
    "uniform": (draw_uniform, [("low", -1.0), ("high", 1.0)]),
}
ERROR_TEXT = "$error"


def record(test: TestFile) -> dict[str, Any]:
    """The steps of the test."""
    recorder = Recorder()
    seed_all()
    published = test.published()
    stand_in = TorchStandIn(recorder)
    namespace = {
        "__name__": "test",
        "__file__": str(test.path),
        "__builtins__": _builtins(recorder, stand_in),
        test.entry: recorder.calls_of(published[test.entry]),
        "torch": stand_in,
        "recorded_results": lambda: Results(recorder),
        "guarded": recorder.guarded,
        "error_text": ERROR_TEXT,
    }
    tree = ast.fix_missing_locations(_Rewriting().visit(ast.parse(test.original_test)))
    exec(compile(tree, str(test.path), "exec"), namespace)
    return {"steps": recorder.finished()}


class _Rewriting(ast.NodeTransformer):
    """An empty dict becomes a recorded one, and what handles an exception runs in any case."""

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        if node.keys:
            raise NotRecordable("a dict with items")
        return ast.parse("recorded_results()", mode="eval").body

    def visit_Try(self, node: ast.Try) -> Any:
        self.generic_visit(node)
        (handler,) = node.handlers
        if not isinstance(handler.type, ast.Name) or node.orelse or node.finalbody:
            raise NotRecordable("an unusual try")
        name = handler.type.id
        guarded, then = ast.parse(
            f"with guarded({name!r}, 'try'): pass\nwith guarded({name!r}, 'then'): pass"
        ).body
        assert isinstance(guarded, ast.With)
        assert isinstance(then, ast.With)
        guarded.body = node.body
        named = ast.parse(f"{handler.name} = error_text").body if handler.name else []
        then.body = [*named, *handler.body]
        return [guarded, then]


@dataclass
class Recorder:
    """Steps so far, in blocks that lie in one another."""

    blocks: list[list[Any]] = field(default_factory=lambda: [[]])
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def is_guarded(self) -> bool:
        """Within a `try`."""
        return len(self.blocks) > 1

    def finished(self) -> list[Any]:
        """All steps; results are looked at only now, when lists are complete."""
        return [_written(step) for step in self.blocks[0]]

    def step(
        self, letter: str, operation: str, value: Any, args: Any = (), kwargs: Any = None
    ) -> "Recorded":
        """Write one down; `value` is what it gives on the CPU."""
        self.counts[letter] = self.counts.get(letter, 0) + 1
        name = f"{letter}{self.counts[letter]}"
        spelled = {key: spell(one) for key, one in (kwargs or {}).items()}
        given = [spell(one) for one in args]
        self.blocks[-1].append([name, operation, given, *([spelled] if spelled else [])])
        return Recorded(self, name, value)

    def calls_of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function under test."""

        def call(*args: Any, **kwargs: Any) -> Any:
            real = {key: _on_cpu(plain(one)) for key, one in kwargs.items()}
            try:
                value = function(*(_on_cpu(plain(one)) for one in args), **real)
            except Exception:
                if not self.is_guarded:
                    raise
                value = UNKNOWN
            return self.step("y", "call", value, args, kwargs)

        return call

    @contextmanager
    def guarded(self, name: str, part: str) -> Iterator[None]:
        """The block of a `try` or of its handler."""
        self.blocks.append([])
        yield
        block = self.blocks.pop()
        if part == "try":
            self.blocks[-1].append({"try": block, "except": name})
        else:
            self.blocks[-1][-1]["then"] = block


class Results(dict[str, Any]):
    """The dictionary that a test fills."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def __setitem__(self, key: str, value: Any) -> None:
        self._recorder.blocks[-1].append({"result": key, "is": value})


class TorchStandIn:
    """What a test sees as torch."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.cuda = SimpleNamespace(
            is_available=lambda: True, manual_seed_all=lambda _: None, synchronize=lambda: None
        )
        self.linalg = SimpleNamespace(cholesky=self._function("linalg.cholesky"))
        self.nn = SimpleNamespace(functional=self)

    def __getattr__(self, name: str) -> Any:
        if name in DRAWS:
            return lambda *args, **kwargs: self._draw(name, args, kwargs)
        if name in FUNCTIONS:
            return self._function(name)
        found = getattr(torch, name)
        if isinstance(found, torch.dtype | float) or found in (torch.Size, torch.Tensor):
            return found
        raise NotRecordable(f"torch.{name}")

    def manual_seed(self, seed: int) -> None:
        """Of every generator."""
        torch.manual_seed(seed)
        self._recorder.step("v", "seed", None, [seed])

    def Generator(self, device: str) -> Any:  # noqa: N802 - torch's name
        """Written down once it has a seed."""
        if device != "cuda":
            raise NotRecordable(f"a generator of {device}")
        made = SimpleNamespace()

        def seeded(seed: int) -> None:
            generator = torch.Generator().manual_seed(seed)
            made.recorded = self._recorder.step("g", "generator", generator, [seed])

        made.manual_seed = seeded
        return made

    def _function(self, name: str) -> Callable[..., Recorded]:
        def call(*args: Any, **kwargs: Any) -> Recorded:
            real = {key: plain(one) for key, one in kwargs.items()}
            value = FUNCTIONS[name](*map(plain, args), **real)
            return self._recorder.step("v", name, value, args, kwargs)

        return call

    def _draw(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Recorded:
        if name in _RANDOM and args and isinstance(args[0], int):
            args = (list(args),)
        given = {key: one for key, one in kwargs.items() if key != "device"}
        args = tuple(_as_list(one) for one in args)
        real = {key: plain(one) for key, one in given.items()}
        value = DRAWS[name](*map(plain, args), **real)
        if given.get("dtype") is torch.float32 and name in (*_RANDOM, "eye"):
            del given["dtype"]
        if kwargs.get("device") != "cuda":
            given["device"] = "cpu"
        return self._recorder.step("x", name, value, args, given)


def helpers(recorder: Recorder, stand_in: TorchStandIn) -> SimpleNamespace:
    """What data_utils.py offers."""

    def rand_tensor(shape: Any, **settings: Any) -> Recorded:
        mode = settings.get("mode", "standard")
        dtype = settings.get("dtype", torch.float32)
        if mode == "standard":
            return stand_in.randn(*shape, dtype=dtype, device="cuda")  # type: ignore[no-any-return]
        draw, named = _DRAWN_WITH[mode]
        rest = [list(shape), *(settings.get(name, default) for name, default in named)]
        value = draw(*rest, device="cpu", dtype=dtype)
        given = {} if dtype is torch.float32 else {"dtype": dtype}
        return recorder.step("x", mode, value, rest, given)

    def rand_int(
        shape: Any, *, low: int, high: int, dtype: Any = torch.int64, **_: Any
    ) -> Recorded:
        given = {} if dtype is torch.int64 else {"dtype": dtype}
        return stand_in.randint(low, high, list(shape), device="cuda", **given)  # type: ignore[no-any-return]

    def rand_bool(shape: Any, **_: Any) -> Recorded:
        return stand_in.randint(0, 2, list(shape), device="cuda", dtype=torch.bool)  # type: ignore[no-any-return]

    return SimpleNamespace(rand_tensor=rand_tensor, rand_int=rand_int, rand_bool=rand_bool)


def _builtins(recorder: Recorder, stand_in: TorchStandIn) -> dict[str, Any]:
    modules = {"torch": stand_in, "data_utils": helpers(recorder, stand_in)}

    def load(name: str, given: Any = None, own: Any = None, names: Any = (), level: int = 0) -> Any:
        if name.startswith("torch."):
            return stand_in if not names else SimpleNamespace(functional=stand_in)
        return modules.get(name) or __import__(name, given, own, names, level)

    return {**vars(builtins), "__import__": load}


def _written(step: Any) -> Any:
    if isinstance(step, list):
        return step
    if "result" in step:
        return {"result": step["result"], "is": spell(step["is"])}
    return {**step, **{part: list(map(_written, step[part])) for part in ("try", "then")}}


def _as_list(value: Any) -> Any:
    if isinstance(value, tuple | list | torch.Size):
        return [_as_list(one) for one in value]
    return value


def _on_cpu(value: Any) -> Any:
    return "cpu" if isinstance(value, str) and value == "cuda" else value
