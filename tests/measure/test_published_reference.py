"""References of published tests in a process of their own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.measure.published_reference import (
    NoReference,
    ReferenceProcess,
    reference_results,
)
from kernelbenchx.worker.frames import unpack


@pytest.fixture(scope="module")
def process() -> Iterator[ReferenceProcess]:
    with closing(ReferenceProcess("cpu")) as one:
        yield one


def test_the_same_seeds_give_the_same_results(process: ReferenceProcess, tmp_path: Path) -> None:
    path = tmp_path / "results"
    process.write("activation/relu", path)
    first = path.read_bytes()
    kinds = [frame.header["kind"] for frame in unpack(first)]
    assert kinds == ["call", "done"]
    process.write("activation/gelu", path)
    assert path.read_bytes() != first
    process.write("activation/relu", path)
    assert path.read_bytes() == first == reference_results("activation/relu", "cpu")


def test_what_it_raises_is_told_and_the_process_goes_on(
    process: ReferenceProcess, tmp_path: Path
) -> None:
    with pytest.raises(NoReference, match="level1/relu has no published test"):
        process.write("level1/relu", tmp_path / "results")
    process.write("activation/relu", tmp_path / "results")
    assert (tmp_path / "results").exists()


@pytest.mark.slow
def test_a_process_that_died_is_a_fault_and_started_again(tmp_path: Path) -> None:
    with closing(ReferenceProcess("cpu")) as one:
        one.write("activation/relu", tmp_path / "results")
        assert one._process is not None
        one._process.kill()
        with pytest.raises(EvaluatorFault, match="reference process"):
            one.write("activation/relu", tmp_path / "results")
        one.write("activation/relu", tmp_path / "results")


def test_flags_of_torch_are_as_they_start() -> None:
    """Asked in a new process, as a reference runs in one: other tests set flags in this one."""
    lines = (
        "import torch",
        "from kernelbenchx.measure import published_reference as measured",
        "def reference(input, inplace=False):",
        "    print(torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32)",
        "    return torch.relu(input)",
        "measured.published_reference = lambda task: reference",
        "measured.reference_results('activation/relu', 'cpu')",
    )
    command = [sys.executable, "-c", "\n".join(lines)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert set(said.splitlines()) == {"True False"}
