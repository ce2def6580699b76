"""The reference as a program: of the task that was loaded, eager or compiled."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import torch._dynamo
from torch._dynamo.utils import counters
from torch._inductor import config, metrics

from kernelbenchx import catalog
from kernelbenchx.measure import baseline
from kernelbenchx.measure.baseline import Baseline, set_precision
from kernelbenchx.spec.problem import Precision, Problem
from kernelbenchx.worker.order import Arguments

Function = Callable[..., Any]
PRODUCTS, CUDNN = torch.backends.cuda.matmul, torch.backends.cudnn


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    """What loading a task sets holds for the whole process: put back."""
    before = PRODUCTS.allow_tf32, CUDNN.allow_tf32
    newer = PRODUCTS.fp32_precision
    yield
    PRODUCTS.allow_tf32, CUDNN.allow_tf32 = before
    PRODUCTS.fp32_precision = newer  # the older switch knows nothing of "none"


def _arguments(*args: Any, **kwargs: Any) -> Arguments:
    return Arguments(args, kwargs, (), {}, {})


def _loaded(kind: str, task: str) -> Baseline:
    program = Baseline(kind)
    program.load({"task": task}, b"")
    return program


def test_it_runs_the_reference_of_the_task_that_was_loaded_last() -> None:
    program = _loaded("eager", "activation/relu")
    x = torch.tensor([-1.0, 2.0])
    relu = program.bind(_arguments(x))
    assert relu().tolist() == [0.0, 2.0]
    program.load({"task": "math/reciprocal"}, b"")
    assert program.bind(_arguments(x))().tolist() == [-1.0, 0.5]
    program.load({"task": "activation/relu"}, b"")
    assert program.bind(_arguments(x))().tolist() == [0.0, 2.0]
    program.release()


def test_faithful_does_not_round_where_eager_does() -> None:
    q, k, v = torch.randn(3, 1, 1, 64, 32, generator=torch.Generator().manual_seed(1)).half()
    truth = torch.softmax(q.double() @ k.double().mT * 32**-0.5, -1) @ v.double()
    found = {}
    for kind in ("eager", "faithful"):
        program = _loaded(kind, "fusion/attention")
        result = program.bind(_arguments(q, k, v, out=torch.empty(q.shape)))()
        found[kind] = (result.double() - truth).abs().mean().item()
        assert not program.fell_back
    assert found["faithful"] < 0.01 * found["eager"]


def test_without_a_task_there_is_nothing_to_run() -> None:
    with pytest.raises(RuntimeError, match="no task"):
        Baseline("eager").bind(_arguments())
    with pytest.raises(Exception, match="no_such_task"):
        _loaded("eager", "activation/no_such_task")


def test_eager_is_never_a_fallback_and_never_replayed() -> None:
    program = _loaded("eager", "activation/relu")
    arguments = _arguments(torch.ones(1))
    program.prepare(arguments)
    assert program.record(arguments) == ({"fell_back": False, "why": ""}, b"")
    assert program.obstacle(arguments)


@pytest.mark.parametrize(
    ("task", "allowed"),
    [
        ("convolution/conv2d", True),
        ("matrix_multiply/addmm", False),
        ("fusion/fused_bmm_dropout_gelu", False),
    ],
)
@pytest.mark.parametrize("before", [True, False])
def test_the_task_decides_about_tf32_whatever_was_set_before(
    task: str, allowed: bool, before: bool
) -> None:
    """A convolution may use it; a product may not, as its statement says."""
    PRODUCTS.allow_tf32 = CUDNN.allow_tf32 = before
    _loaded("eager", task)
    assert (PRODUCTS.allow_tf32, CUDNN.allow_tf32) == (False, allowed)
    newer = CUDNN.conv.fp32_precision  # type: ignore[attr-defined]
    assert (PRODUCTS.fp32_precision == "tf32", newer == "tf32") == (False, allowed)


class Compiler:
    """In place of torch.compile: some references are compiled, others quietly are not, or to
    library calls alone."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, refuses: str) -> None:
        self.kernels = 0
        self.made: list[str] = []
        self.fails = False
        self._refuses = refuses
        monkeypatch.setattr(torch, "compile", self.compile)
        monkeypatch.setattr(baseline, "kernels_compiled", lambda: self.kernels)

    def compile(self, function: Function, *, backend: Any, dynamic: bool) -> Function:
        assert callable(backend) and not dynamic
        self.made.append(function.__name__)
        seen: set[torch.Size] = set()

        def run(x: torch.Tensor) -> Any:
            if function.__name__ != self._refuses and x.shape not in seen:
                seen.add(x.shape)
                self.kernels += 1
            if self.fails:
                raise NotImplementedError("no such operator")
            return function(x)

        return run


def test_a_reference_is_compiled_once_and_stays_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler(monkeypatch, refuses="")
    program = Baseline("compile")
    arguments = _arguments(torch.tensor([-1.0]))
    for task in ("activation/relu", "math/reciprocal", "activation/relu"):
        program.load({"task": task}, b"")
        program.tune(arguments)
        assert not program.fell_back
    assert compiler.made == ["relu", "reciprocal"]


def test_one_task_that_was_compiled_says_nothing_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Compiler(monkeypatch, refuses="reciprocal")
    program = _loaded("compile", "activation/relu")
    arguments = _arguments(torch.tensor([-1.0]))
    program.tune(arguments)
    program.load({"task": "math/reciprocal"}, b"")
    program.tune(arguments)
    assert program.record(arguments)[0] == {"fell_back": True, "why": ""}
    program.load({"task": "activation/relu"}, b"")
    assert program.record(arguments)[0] == {"fell_back": False, "why": ""}


def test_what_torch_cannot_compile_runs_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Compiler(monkeypatch, refuses="")
    compiler.fails = True
    program = _loaded("compile", "activation/relu")
    arguments = _arguments(torch.tensor([-1.0, 2.0]))
    program.tune(arguments)
    assert program.bind(arguments)().tolist() == [0.0, 2.0]
    why = "NotImplementedError: no such operator"
    assert program.record(arguments)[0] == {"fell_back": True, "why": why}


def test_values_that_the_reference_does_not_take_say_nothing_of_the_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Compiler(monkeypatch, refuses="")
    program = _loaded("compile", "activation/relu")
    with pytest.raises(TypeError):
        program.prepare(_arguments("no tensor"))
    assert program.refusal == ""
    program.tune(_arguments(torch.ones(2)))
    assert not program.fell_back


def test_preparing_compiles_and_runs_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def inductor(_graph: Any, _inputs: Any) -> Function:
        compiled.append("compiled")

        def run(*_: Any) -> tuple[torch.Tensor, ...]:
            compiled.append("run")
            return (torch.ones(1),)

        return run

    monkeypatch.setattr(torch._dynamo, "lookup_backend", lambda _name: inductor)
    compiler = baseline.Compiler()
    run = compiler(lambda *_: (torch.zeros(1),), [])
    with compiler.only_compiling():
        assert run()[0].item() == 0.0
    assert compiled == ["compiled"]
    assert run()[0].item() == 1.0
    assert compiled == ["compiled", "run"]


class Doubled(torch.nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight


def test_a_module_is_compiled_once_for_all_of_its_instances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metrics, "generated_kernel_count", 0)

    def inductor(graph: Function, _inputs: Any) -> Function:
        metrics.generated_kernel_count += 1
        return graph

    monkeypatch.setattr(torch._dynamo, "lookup_backend", lambda _name: inductor)
    task = SimpleNamespace(baseline=Doubled, form="module", tf32=False)
    monkeypatch.setattr(catalog, "load", lambda _name: task)
    program = _loaded("compile", "a/module")
    for factor in (2.0, 3.0):
        weight = torch.full((2,), factor)
        arguments = Arguments((torch.ones(2),), {}, (2,), {"weight": weight}, {})
        program.prepare(arguments)
        assert program.bind(arguments)().tolist() == [factor, factor]
    assert baseline.kernels_compiled() == 1
    assert not program.fell_back


def test_kernels_are_counted_by_torch_and_graphs_where_it_counts_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metrics, "generated_kernel_count", 41)
    monkeypatch.setitem(counters["stats"], "unique_graphs", 7)
    assert baseline.kernels_compiled() == 41
    monkeypatch.delattr(metrics, "generated_kernel_count")
    assert baseline.kernels_compiled() == 7
    monkeypatch.delitem(counters["stats"], "unique_graphs")
    assert baseline.kernels_compiled() == 0


@pytest.fixture
def inductor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """torch's own compiler, with a cache that is empty.

    Which vector instructions this machine has is not asked: that alone compiles ten files.
    """
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    options = {"compile_threads": 1, "fx_graph_cache": True, "cpp.vec_isa_ok": False}
    with config.patch(options):
        yield
    torch._dynamo.reset()


NEEDS_CPP = pytest.mark.skipif(shutil.which("g++") is None, reason="torch compiles with g++ here")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch, against itself
@pytest.mark.usefixtures("inductor")
@pytest.mark.parametrize(
    ("task", "library"),
    [pytest.param("activation/relu", False, marks=NEEDS_CPP), ("linear_algebra/qr", True)],
)
def test_library_calls_alone_are_a_fallback_also_out_of_the_cache(task: str, library: bool) -> None:
    """Each is compiled for real, then taken from torch's cache as another process would."""
    arguments = _arguments(torch.eye(4))
    for cached in (False, True):
        torch._dynamo.reset()
        graphs, hits = baseline.graphs_compiled(), counters["inductor"]["fxgraph_cache_hit"]
        program = _loaded("compile", task)
        program.prepare(arguments)
        assert program.fell_back is library
        assert baseline.graphs_compiled() == graphs + 1
        assert counters["inductor"]["fxgraph_cache_hit"] == hits + cached
        program.tune(arguments)  # compiles nothing more, and changes nothing
        assert program.record(arguments)[0] == {"fell_back": library, "why": ""}


@pytest.mark.parametrize("wanted", ["fp32", "tf32"])
@pytest.mark.parametrize("before", [True, False])
def test_a_problem_decides_about_products_too(wanted: Precision, before: bool) -> None:
    problem = catalog.load("level2/gemm_multiply_leaky_relu")
    assert isinstance(problem, Problem)
    PRODUCTS.allow_tf32 = CUDNN.allow_tf32 = before
    set_precision(problem.at(wanted))
    assert (PRODUCTS.allow_tf32, CUDNN.allow_tf32) == (wanted == "tf32",) * 2
