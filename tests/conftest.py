"""What all tests share: warm workers, an order that wastes no core, skips that name a reason."""

import gc
import os
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluate.pipeline import Pipeline
    from kernelbenchx.evaluate.session import RunSession
    from kernelbenchx.runner.levels import WorkerIsolation
    from kernelbenchx.runner.problem_files import ProblemFiles
    from kernelbenchx.runner.zygote import Zygote

# Each core has a test process of its own: threads of torch and numpy would only wait for cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Tables in a pipe are as wide as it says, and test processes are told a width.
os.environ.pop("COLUMNS", None)
SHARED = Path(__file__).resolve().parents[2] / "shared"
TESTS = Path(__file__).parent
FIRST = ("attacks/test_suite.py", "attacks/test_timing_suite.py", "attacks/test_suite_run.py",
         "attacks/test_side_effects.py", "attacks/test_fake_cluster.py", "attacks/test_decoys.py",
         "cli/test_redteam.py", "cluster/test_live_cluster.py")  # fmt: skip
"""Attack this installation, which only one process at a time may do: one process begins with all of
them, while the others have the rest to do."""


def _has_card() -> bool:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.cuda.is_available()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    first = {TESTS / name for name in FIRST}
    items.sort(key=lambda item: item.path not in first)
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if marked and not _has_card():
        for item in marked:
            item.add_marker(pytest.mark.skip(reason="needs a CUDA device"))


def pytest_collection_finish() -> None:
    # Torch and thousands of tests stay to the end: collecting garbage need not look at them again,
    # and what measures times collects all of it before every call.
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Runners that are tested in this process collect no garbage while they serve."""
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def own_folders() -> Iterator[None]:
    """Folders of tasks and problems that a command was given stay with its test."""
    before = _ours()
    yield
    for name in _ours().keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)


def _ours() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if name.startswith("KERNELBENCHX_")}


@pytest.fixture(scope="session")
def shared() -> Path:
    """Reference material that is not part of the project; tests that need it skip without it."""
    if not SHARED.is_dir():
        pytest.skip("no shared reference material beside the checkout")
    return SHARED


@pytest.fixture(scope="session")
def zygotes() -> Iterator["dict[str, Zygote]"]:
    """An interpreting and a compiling parent, shared by all tests of a process."""
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluate.zygotes import open_zygotes
    from kernelbenchx.runner.isolation import choose

    with open_zygotes(Settings(device="interpreter", jobs=2), choose(None)) as warm:
        yield warm


@pytest.fixture
def warm_workers(zygotes: "dict[str, Zygote]", monkeypatch: pytest.MonkeyPatch) -> None:
    """Every session of the test takes those parents instead of starting its own."""
    _share(zygotes, monkeypatch)


def _share(zygotes: "dict[str, Zygote]", monkeypatch: pytest.MonkeyPatch) -> None:
    def shared(
        settings: "Settings", isolation: "WorkerIsolation"
    ) -> "AbstractContextManager[dict[str, Zygote]]":
        assert settings.device == "interpreter"
        assert all(isolation == zygote.isolation for zygote in zygotes.values())
        return nullcontext(zygotes)

    monkeypatch.setattr("kernelbenchx.evaluate.pipeline_setup.open_zygotes", shared)


@pytest.fixture(scope="session")
def problem_files() -> Iterator["ProblemFiles"]:
    """The sandbox of published problems, with little patience."""
    from dataclasses import replace

    from kernelbenchx.runner.isolation import choose
    from kernelbenchx.runner.problem_files import LIMITS, ProblemFiles

    short = replace(LIMITS, cpu_s=2.5, idle_s=1.0, wall_s=60.0)
    with ProblemFiles(choose(None), jobs=1, limits=short) as opened:
        yield opened


@pytest.fixture(scope="session")
def kept_audits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Audits of problems that several tests use: each is made once."""
    return tmp_path_factory.mktemp("audits")


@pytest.fixture
def warm_problems(
    problem_files: "ProblemFiles", kept_audits: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every run of the test draws published problems there, and the user's audits are not read."""
    monkeypatch.setenv("KERNELBENCHX_PROBLEMS", "")
    monkeypatch.setattr("kernelbenchx.catalog.audit_cache._folder", lambda: kept_audits)
    opened = "kernelbenchx.evaluate.imported_problems.open_files"
    monkeypatch.setattr(opened, lambda *_: nullcontext(problem_files))


@pytest.fixture(scope="session")
def session(
    zygotes: "dict[str, Zygote]", tmp_path_factory: pytest.TempPathFactory
) -> Iterator["RunSession"]:
    """An open run over those parents, shared as well."""
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluate.session import RunSession, resolve_settings

    # The same calls every time: what a seed draws decides what a test sees.
    settings = resolve_settings(Settings(device="interpreter", jobs=1, time_limit_s=60, seed=1))
    with RunSession(settings, tmp_path_factory.mktemp("run")) as opened:
        with pytest.MonkeyPatch.context() as patched:
            _share(zygotes, patched)
            _ = opened.pipeline
        yield opened


@pytest.fixture(scope="session")
def pipeline(session: "RunSession") -> "Pipeline":
    """The stages over those workers."""
    return session.pipeline
