"""Read KernelBench's problem files as published, and make their sizes smaller."""

import ast
import logging
import re
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils.flop_counter import FlopCounterMode

Size = int | tuple[int, ...]

_KEPT = re.compile(
    r"kernel|stride|padding|dilation|group|head|pool|scal|eps|bias|layers|margin|slope|output_size"
    r"|ratio|expan|patch|window|growth|block_len|state|divisor|shape$|classes",
    re.IGNORECASE,
)
"""Names of constants that are no sizes, or that other sizes are tied to."""
_BATCH = re.compile(r"^(batch|bs$|b$|test_batch)", re.IGNORECASE)
_SMALLEST = 8


@dataclass(frozen=True)
class ProblemFile:
    """One published problem."""

    level: int
    number: int
    path: Path

    @property
    def tree(self) -> ast.Module:
        """Its code, with one name on the left of each assignment at the top."""
        tree = ast.parse(self.path.read_text())
        tree.body = [one for node in tree.body for one in _single(node)]
        return ast.fix_missing_locations(tree)

    def constants(self) -> dict[str, Size]:
        """Whole numbers, and tuples of them, that are assigned at the top."""
        found: dict[str, Size] = {}
        for node in self.tree.body:
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
                continue
            value = _evaluated(node.value)
            if _is_whole(value):
                found[node.targets[0].id] = value
            elif isinstance(value, tuple | list) and value and all(map(_is_whole, value)):
                found[node.targets[0].id] = tuple(value)
        return found

    def load(self, sizes: dict[str, Size]) -> Any:
        """The module, with other values for some constants."""
        tree = self.tree
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if name in sizes:
                    node.value = ast.parse(repr(sizes[name]), mode="eval").body
        module = types.ModuleType(f"problem_{self.level}_{self.number}")
        code = compile(ast.fix_missing_locations(tree), str(self.path), "exec")
        exec(code, module.__dict__)
        return module


def problem_files(folder: Path, levels: list[int]) -> Iterator[ProblemFile]:
    """All problems of these levels, by number."""
    for level in levels:
        paths = (folder / "KernelBench" / f"level{level}").glob("*.py")
        numbered = sorted((int(path.name.split("_")[0]), path) for path in paths)
        yield from (ProblemFile(level, number, path) for number, path in numbered)


def smaller(problem: ProblemFile, flops: float, elements: float) -> dict[str, Size]:
    """Values of constants with which the model still runs and costs little."""
    search = _Search(problem)
    tried: set[str] = set()

    def is_large() -> bool:
        return search.cost[0] > flops or search.cost[1] > elements

    for name, value in search.constants.items():
        if _BATCH.match(name) and isinstance(value, int) and is_large():
            tried.add(name)
            any(search.attempt(name, few) for few in (2, 4, 8, 16, 32) if few < value)
    while is_large():
        left = search.candidates(tried)
        if not left:
            break
        name = max(left, key=lambda one: ("chan" not in one, search.largest(one)))
        if not search.attempt(name, search.largest(name) // 2):
            tried.add(name)
    return search.sizes


class _Search:
    """For sizes that fit together."""

    def __init__(self, problem: ProblemFile) -> None:
        self.problem = problem
        self.constants = problem.constants()
        self.sizes: dict[str, Size] = {}
        self.cost = _cost(problem, {})

    def attempt(self, name: str, value: int) -> bool:
        """Alone, then together with all constants of the same value."""
        before = self.largest(name)
        equal = [one for one in self.constants if self.largest(one) == before]
        for names in ([name], equal):
            changed = {one: _scaled(self._value(one), before, value) for one in names}
            try:
                there = _cost(self.problem, {**self.sizes, **changed})
            except Exception:  # noqa: BLE001 - these sizes do not fit together
                continue
            if there != self.cost:
                self.sizes.update(changed)
                self.cost = there
                return True
        return False

    def candidates(self, tried: set[str]) -> list[str]:
        """Constants that may be sizes."""
        return [
            name
            for name in self.constants
            if name not in tried and not _KEPT.search(name) and self.largest(name) > _SMALLEST
        ]

    def largest(self, name: str) -> int:
        """The value of a constant as it is now; of a tuple the largest."""
        value = self._value(name)
        return max(value) if isinstance(value, tuple) else value

    def _value(self, name: str) -> Size:
        return self.sizes.get(name, self.constants[name])


@contextmanager
def drawing(kind: str) -> Iterator[None]:
    """`torch.rand` draws normal numbers, or wide ones; `published` leaves it as it is."""
    uniform, normal = torch.rand, torch.randn
    width = 10.0 if kind == "wide" else 1.0

    def drawn(*size: Any, **named: Any) -> torch.Tensor:
        return normal(*size, **named) * width

    if kind != "published":
        torch.rand = torch.randn = drawn
    try:
        yield
    finally:
        torch.rand, torch.randn = uniform, normal


def fitted(model: type[nn.Module]) -> Callable[..., nn.Module]:
    """The model, with tensors that are no parameters in the dtype of the others, and without
    chance: what is drawn in `forward` is the same in each call."""

    class Fitted(model):  # type: ignore[misc, valid-type]
        wide = False

        def to(self, *where: Any) -> Any:
            self.wide = torch.float64 in where
            for module in self.modules():
                for name, value in list(vars(module).items()):
                    if isinstance(value, torch.Tensor) and value.is_floating_point():
                        setattr(module, name, value.to(*where))
            return super().to(*where)

        def forward(self, *args: Any, **named: Any) -> Any:
            torch.manual_seed(0)
            torch.set_default_dtype(torch.float64 if self.wide else torch.float32)
            try:
                return super().forward(*args, **named)
            finally:
                torch.set_default_dtype(torch.float32)

    return Fitted


def warm_up() -> None:
    """Import what fake tensors need, once for all children; sizes that do not fit are no news."""
    logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)
    with FakeTensorMode(), FlopCounterMode(display=False), torch.no_grad():
        nn.Sequential(nn.Conv2d(2, 2, 2), nn.BatchNorm2d(2), nn.Linear(3, 3))(
            torch.rand(2, 2, 4, 4)
        )


def _cost(problem: ProblemFile, sizes: dict[str, Size]) -> tuple[int, int]:
    """Operations, and elements of inputs and results; nothing is computed."""
    counter = FlopCounterMode(display=False)
    with FakeTensorMode(allow_non_fake_inputs=True), torch.no_grad():
        module = problem.load(sizes)
        given = module.get_inputs()
        model = module.Model(*module.get_init_inputs())
        with counter:
            results = model(*given)
    several = results if isinstance(results, tuple | list) else [results]
    tensors = [one for one in [*given, *several] if isinstance(one, torch.Tensor)]
    return counter.get_total_flops(), sum(one.numel() for one in tensors)


def _single(node: ast.stmt) -> list[ast.stmt]:
    """`a = b = v` and `a, b = v, w` as several assignments."""
    if not isinstance(node, ast.Assign):
        return [node]
    found: list[ast.stmt] = []
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=True))
        for left, right in pairs:
            found.append(ast.copy_location(ast.Assign(targets=[left], value=right), node))
    return found


def _evaluated(node: ast.expr) -> Any:
    try:
        return eval(compile(ast.Expression(node), "", "eval"), {"__builtins__": {}}, {})  # noqa: S307
    except Exception:  # noqa: BLE001 - not a constant
        return None


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _scaled(value: Size, before: int, after: int) -> Size:
    """Smaller by the same ratio, where it is not small already."""
    if isinstance(value, tuple):
        return tuple(one * after // before if one > _SMALLEST else one for one in value)
    return value * after // before
