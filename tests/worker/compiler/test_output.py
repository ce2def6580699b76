"""What compilers print is kept apart, and what the submission prints is not."""

import subprocess
import sys

import pytest

from kernelbenchx.worker.compiler.output import capture_output


def test_prints_of_python_and_of_programs_are_taken(capfd: pytest.CaptureFixture[str]) -> None:
    with capture_output() as output:
        sys.stdout.write("from python\n")
        sys.stdout.flush()
        subprocess.run(["echo", "from a program"], check=True)
        text = output.text()
    assert text == "from python\nfrom a program\n"
    sys.stdout.write("afterwards\n")
    sys.stdout.flush()
    assert capfd.readouterr() == ("afterwards\n", "")


def test_only_the_start_of_a_flood_is_kept(capfd: pytest.CaptureFixture[str]) -> None:
    with capture_output() as output:
        sys.stderr.write("x" * 1_000_000)
        assert len(output.text()) == 64 * 1024
    assert capfd.readouterr() == ("", "")


def test_an_error_inside_gives_the_streams_back(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError), capture_output():
        raise RuntimeError
    subprocess.run(["echo", "heard"], check=True)
    assert capfd.readouterr().out == "heard\n"
