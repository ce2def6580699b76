"""A published test file taken apart: its function, its test, and what the test asks it for."""

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import torch

SEPARATOR = "#" * 146


@dataclass(frozen=True)
class TestFile:
    """The two halves of a file, to be run on the CPU."""

    name: str
    """`category/name` as here."""
    path: Path
    function: str
    test: str
    helpers: str
    """Text of data_utils.py."""

    @classmethod
    def read(cls, name: str, path: Path, folder: Path) -> "TestFile":
        """From a copy of the repository."""
        function, *_, test = path.read_text("utf-8").split(SEPARATOR)
        helpers = (folder / "utils/data_utils.py").read_text("utf-8")
        return cls(name, path, on_cpu(function), on_cpu(test), on_cpu(helpers))

    @property
    def original_test(self) -> str:
        """The test as it is, which draws on a GPU."""
        return self.path.read_text("utf-8").split(SEPARATOR)[-1]

    def published(self) -> dict[str, Any]:
        """Names that the first half defines; it is run anew."""
        module: dict[str, Any] = {"__name__": "published"}
        exec(compile(self.function, str(self.path), "exec"), module)
        return module

    @property
    def entry(self) -> str:
        """The function that the test calls."""
        defined = {
            node.name for node in ast.parse(self.function).body if isinstance(node, ast.FunctionDef)
        }
        (found,) = self._asked() & defined
        return found

    @property
    def needs(self) -> list[str]:
        """Other names that the test finds only if the submission defines or imports them."""
        return sorted(self._asked() - {self.entry} - set(dir(builtins)))

    def _asked(self) -> set[str]:
        code = compile(self.test, "test", "exec")
        own = {
            target.id
            for node in ast.walk(ast.parse(self.test))
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(ast.parse(self.test)):
            if isinstance(node, ast.FunctionDef):
                own.add(node.name)
            if isinstance(node, ast.Import | ast.ImportFrom):
                own |= {(one.asname or one.name).split(".")[0] for one in node.names}
        return {name for name in _global_names(code) if name not in own} - {"__file__", "__name__"}


def on_cpu(text: str) -> str:
    """The text with another device."""
    text = re.sub(r"""(['"])cuda\1""", "'cpu'", text)
    return text.replace(".cuda()", ".cpu()")


def _global_names(code: CodeType) -> Iterator[str]:
    import dis

    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_names(constant)


def factor_without_pivots(matrix: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """L and U of L @ U, which torch has on a GPU only."""
    rows, columns = matrix.shape[-2:]
    rank = min(rows, columns)
    lower = torch.eye(rows, rank, dtype=matrix.dtype).expand(*matrix.shape[:-2], rows, rank).clone()
    rest = matrix.clone()
    for k in range(rank):
        lower[..., k + 1 :, k] = rest[..., k + 1 :, k] / rest[..., k, k].unsqueeze(-1)
        rest[..., k + 1 :, :] -= lower[..., k + 1 :, k].unsqueeze(-1) * rest[..., k, None, :]
    return lower, rest[..., :rank, :].triu()


def give_torch_unpivoted_lu() -> None:
    """`torch.linalg.lu` and `lu_factor` with `pivot=False` on the CPU."""
    linalg: ModuleType = torch.linalg
    lu, factor = linalg.lu, linalg.lu_factor

    def plain_lu(matrix: torch.Tensor, *, pivot: bool = True, out: Any = None) -> Any:
        if pivot:
            return lu(matrix, out=out)
        lower, upper = factor_without_pivots(matrix)
        return torch.empty(0, dtype=matrix.dtype), lower, upper

    def plain_factor(matrix: torch.Tensor, *, pivot: bool = True) -> Any:
        if pivot:
            return factor(matrix)
        lower, upper = factor_without_pivots(matrix)
        return lower.tril(-1) + upper, torch.empty(0, dtype=torch.int32)

    linalg.lu, linalg.lu_factor = plain_lu, plain_factor
