"""Another language: its own parse, its own rules."""

from collections.abc import Callable

from kernelbenchx.checks.cuda_rules import parse
from kernelbenchx.checks.rule import Report
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]

TEXT = """
#include <cuda_runtime.h>
// #include <cublas_v2.h>
template <int N>
__global__ void scale(float* out, const float* x, int n) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < n) out[at] = x[at] * N;  /* "scale<<<" */
}
extern "C" void f(float* out, const float* x, int n) {
    scale<2><<<(n + 255) / 256, 256>>>(out, x, n);
}
"""


def test_a_launched_kernel_is_accepted(examine: Examine) -> None:
    report = examine(TEXT, language="cuda")
    assert report.findings == ()
    assert (report.entry, report.composition) == ("f", Composition.PURE)


def test_a_library_is_refused_with_its_line(examine: Examine) -> None:
    report = examine(TEXT.replace("// #include", "#include"), language="cuda")
    assert [(f.rule, f.line) for f in report.fatal] == [("imports", 3)]


def test_a_launch_in_a_comment_is_none(examine: Examine) -> None:
    report = examine(TEXT.replace("    scale<2>", "    // scale<2>"), language="cuda")
    assert [finding.rule for finding in report.fatal] == ["kernels"]
    assert report.composition is Composition.NOT_A_KERNEL


def test_a_missing_entry_is_refused(examine: Examine) -> None:
    report = examine(TEXT.replace("void f(", "void g("), language="cuda")
    assert [finding.rule for finding in report.fatal] == ["entry"]


def test_lines_stay_where_they_are() -> None:
    source = parse("/* a\n b */ __global__ void k(int n) {}\n")
    assert source.kernels == ("k",)
    assert source.code.index("\n") < source.code.index("__global__")
