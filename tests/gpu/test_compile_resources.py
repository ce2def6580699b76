"""What the driver without a GPU says a kernel needs is what the card itself says."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

PROBE = Path(__file__).parent / "probes" / "resources.py"
WORKER = Path(__file__).parents[2] / "src" / "kernelbenchx"
TARGETS = {(8, 0): "sm_80", (8, 9): "sm_89", (9, 0): "sm_90", (10, 0): "sm_100"}

pytestmark = pytest.mark.gpu


def probed(where: str, cache: Path) -> Any:
    """Run the probe in its own process: a driver is chosen once."""
    paths = [str(WORKER), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        # Apart, or the second run would only read what the first one compiled.
        "TRITON_CACHE_DIR": str(cache / where),
    }
    done = subprocess.run(
        [sys.executable, str(PROBE), where],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=250,
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def target() -> str:
    if not torch.cuda.is_available():
        pytest.skip("needs a CUDA device")
    capability = torch.cuda.get_device_capability()
    if capability not in TARGETS:
        pytest.skip(f"no target has the capability {capability}")
    return TARGETS[capability]


@pytest.fixture(scope="module")
def answers(target: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    cache = tmp_path_factory.mktemp("cache")
    return probed("card", cache), probed(target, cache)


@pytest.mark.parametrize("kernel", ["softmax", "product", "crowded", "turned", "called"])
def test_registers_spills_and_shared_memory_are_the_cards_own(
    answers: tuple[Any, Any], kernel: str
) -> None:
    card, cardless = answers
    assert cardless["needs"][kernel] == card["needs"][kernel]


def test_the_kernels_differ_in_what_they_need(answers: tuple[Any, Any]) -> None:
    needs = answers[0]["needs"].values()
    assert len({tuple(need) for need in needs}) == len(needs)
    assert any(spills for _, spills, _ in needs)
    assert any(shared > 49152 for _, _, shared in needs)


def test_the_limits_are_the_cards_own(answers: tuple[Any, Any]) -> None:
    card, cardless = answers
    assert cardless["threads"] == card["threads"]
    for limit in ("max_shared_mem", "max_num_regs", "warpSize"):
        assert cardless["facts"][limit] == card["facts"][limit]


def test_the_facts_of_the_named_card_are_its_own(answers: tuple[Any, Any]) -> None:
    if "H200" not in torch.cuda.get_device_name():
        pytest.skip("the target describes an H200")
    card, cardless = answers
    assert cardless["facts"] == card["facts"]
