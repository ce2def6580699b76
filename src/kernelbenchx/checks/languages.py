"""The languages that a submission may be written in, and what is checked in each."""

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kernelbenchx.checks import cuda_rules, triton_rules
from kernelbenchx.checks.rule import Expectation, Report
from kernelbenchx.checks.source import too_long
from kernelbenchx.core.parsing import parse_python

Check = Callable[[str, Expectation], Report]


@dataclass(frozen=True)
class Language:
    """One language: how its text is parsed and judged before anything runs."""

    name: str
    check: Check


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "triton": Language("triton", triton_rules.check),
        "cuda": Language("cuda", cuda_rules.check),
    }
)
"""A task names its language; each has its own parse and its own tuple of rules."""

_CUDA_WORDS = re.compile(r"__global__|load_inline|cpp_extension")
_CUDA_KERNEL = re.compile(r"__global__\s[^;{(]*\(|__global__\s+__launch_bounds__")
_EXTENSIONS = "torch.utils.cpp_extension"


def language_of(source: str, stated: str = "triton") -> str:
    """`cuda` for a text in CUDA C++, and for Python that has one compiled; else what is stated."""
    if stated != "triton" or not _CUDA_WORDS.search(source) or too_long(source):
        return stated
    try:
        tree = parse_python(source.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        is_cuda = "@triton" not in source and bool(cuda_rules.parse(source).kernels)
    else:
        is_cuda = _compiles_cuda(tree)
    return "cuda" if is_cuda else stated


def _compiles_cuda(tree: ast.Module) -> bool:
    """Whether it uses torch's C++ extensions, or holds CUDA in a string and no Triton kernel."""
    nodes = list(ast.walk(tree))
    names = {one.id for one in nodes if isinstance(one, ast.Name)}
    attributes = {one.attr for one in nodes if isinstance(one, ast.Attribute)}
    imported = {
        alias.asname or alias.name
        for one in nodes
        if isinstance(one, ast.Import | ast.ImportFrom)
        for alias in one.names
        if f"{getattr(one, 'module', '')}.{alias.name}".lstrip(".").startswith(_EXTENSIONS)
    }
    if imported & names or attributes & {"cpp_extension", "load_inline"}:
        return True
    texts = (one.value for one in nodes if isinstance(one, ast.Constant))
    holds = any(isinstance(text, str) and _CUDA_KERNEL.search(text) for text in texts)
    return holds and "jit" not in names | attributes
