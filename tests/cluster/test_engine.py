"""Which machines judge: this one unless another is asked for, and never by a wrong word."""

import importlib.metadata
import importlib.util
import subprocess
import sys

import pytest

from kernelbenchx.cluster import engine
from kernelbenchx.cluster.engine import EngineChoice, open_engine, require_ray, resolve
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings

RAY = EngineChoice(name="ray")


def test_without_a_word_this_machine_judges() -> None:
    with open_engine(EngineChoice(), Settings()) as found:
        assert found is None
    assert resolve(Settings(device="interpreter"), None).device == "interpreter"


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"name": "dask"}, "engine is local or ray, not 'dask'"),
        ({"address": "head:6379"}, "needs .engine='ray'"),
        ({"gpu": "H200"}, "needs .engine='ray'"),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused(choice: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        EngineChoice(**choice)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Settings(stage=Stage.CHECK), "runs nothing"),
        (Settings(isolation="L1"), "needs isolation L2 or L3"),
        (Settings(gpus=(0,)), "chooses GPUs itself"),
    ],
)
def test_what_no_cluster_can_do_is_refused_before_one_is_sought(
    settings: Settings, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadInput, match=said), open_engine(RAY, settings):
        raise AssertionError("it was opened")


def test_without_ray_nothing_is_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise BadInput("install the extra")

    monkeypatch.setattr(engine, "require_ray", missing)
    with pytest.raises(BadInput, match="install the extra"), open_engine(RAY, Settings()):
        raise AssertionError("it was opened")


def test_ray_is_imported_only_when_it_is_asked_for() -> None:
    program = (
        "import sys, kernelbenchx, kernelbenchx.evaluator, kernelbenchx.cluster.engine as e\n"
        "from kernelbenchx.core.settings import Settings\n"
        "with e.open_engine(e.EngineChoice(), Settings()): pass\n"
        "assert 'ray' not in sys.modules\n"
        "import kernelbenchx.cluster.ray_cluster\n"
        "assert 'ray' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=240)


def test_ray_that_is_there_is_enough() -> None:
    require_ray()


@pytest.mark.parametrize("version", ["2.51.3", "1.99.0"])
def test_an_old_ray_is_refused(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: version)
    with pytest.raises(BadInput, match=f"2.52 or newer, this is {version}"):
        require_ray()


@pytest.mark.parametrize("version", ["2.52.0", "3.0.0"])
def test_a_new_ray_is_not(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: version)
    require_ray()


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(BadInput, match=r"pip install 'kernelbenchx\[ray\]'"):
        require_ray()
