"""Submissions in CUDA C++: comments and strings stripped, then a few rules over the text.

The smallest set that distinguishes a kernel from a library call. It shows that a language brings
its own parse and its own rules; the runner for it does not exist yet.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kernelbenchx.checks.rule import Expectation, Report, in_order
from kernelbenchx.core.outcome import Composition, Finding

INCLUDES = frozenset(
    {
        *("cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_pipeline.h"),
        *("cooperative_groups.h", "mma.h", "math.h", "stdint.h", "cstdint", "cmath", "limits"),
    }
)
"""Headers of the language itself; libraries that compute are not among them."""

_TOKENS = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_KERNEL = re.compile(r"__global__\b[^;{(]*?\b(\w+)\s*\(")


@dataclass(frozen=True)
class CudaSource:
    """A CUDA text without its comments, line by line as it was."""

    code: str
    includes: tuple[tuple[int, str], ...]
    kernels: tuple[str, ...]


Rule = Callable[[CudaSource, Expectation], Iterator[Finding]]


def parse(text: str) -> CudaSource:
    """Blank out comments and string contents, keeping every line where it is."""
    includes = tuple(
        (text.count("\n", 0, found.start()) + 1, found[1])
        for found in _INCLUDE.finditer(_TOKENS.sub(_keep_strings, text))
    )
    code = _TOKENS.sub(_blank, text)
    return CudaSource(code, includes, tuple(found[1] for found in _KERNEL.finditer(code)))


def _keep_strings(token: re.Match[str]) -> str:
    return token[0] if token[0][0] == '"' else _blank(token)


def _blank(token: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", token[0])


def entry(source: CudaSource, expectation: Expectation) -> Iterator[Finding]:
    """One of the accepted names is a function of the file."""
    if not find_entry(source, expectation):
        names = ", ".join(expectation.entries)
        yield Finding(rule="entry", line=1, why=f"defines none of: {names}")


def includes(source: CudaSource, expectation: Expectation) -> Iterator[Finding]:  # noqa: ARG001
    """Only headers of the language are included."""
    for line, name in source.includes:
        if name not in INCLUDES:
            yield Finding(rule="imports", line=line, why=f"includes {name}, which is not allowed")


def kernels(source: CudaSource, expectation: Expectation) -> Iterator[Finding]:  # noqa: ARG001
    """A kernel of the file is launched."""
    if not find_launched(source):
        yield Finding(rule="kernels", line=1, why="launches no __global__ function of the file")


RULES: tuple[Rule, ...] = (entry, includes, kernels)


def find_entry(source: CudaSource, expectation: Expectation) -> str:
    """The first accepted name that is followed by parameters and a body."""
    for name in expectation.entries:
        if re.search(rf"\b{re.escape(name)}\s*\([^;{{]*\)\s*\{{", source.code):
            return name
    return ""


def find_launched(source: CudaSource) -> list[str]:
    """Kernels of the file that appear before a launch configuration."""
    return [k for k in source.kernels if re.search(rf"\b{k}\s*(?:<[^;{{}}]*>)?\s*<<<", source.code)]


def check(text: str, expectation: Expectation) -> Report:
    """Parse once and apply `RULES`."""
    source = parse(text)
    findings = in_order(finding for rule in RULES for finding in rule(source, expectation))
    made = Composition.PURE if find_launched(source) else Composition.NOT_A_KERNEL
    return Report(findings=findings, composition=made, entry=find_entry(source, expectation))
