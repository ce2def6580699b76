"""`kbx show TASK --limits`: what no kernel can beat, by the data sheet."""

import pytest

from cli_types import Kbx


@pytest.mark.parametrize(
    ("gpu", "bandwidth", "least"), [("h200", "4800 GB/s", "96.80"), ("L4", "300 GB/s", "1590")]
)
def test_each_timing_case_has_bytes_operations_and_least_time(
    kbx_here: Kbx, gpu: str, bandwidth: str, least: str
) -> None:
    said = kbx_here("show", "gelu", "--limits", "--gpu", gpu)
    assert said.returncode == 0 and bandwidth in said.stdout
    (line,) = [one for one in said.stdout.splitlines() if "67108864" in one]
    assert line.split()[1:5] == ["537", "0.60", "fp32", least]


def test_a_gpu_that_is_not_known_or_not_asked_about_is_refused(kbx_here: Kbx) -> None:
    unknown = kbx_here("show", "gelu", "--limits", "--gpu", "abacus")
    assert unknown.returncode == 2 and "unknown GPU 'abacus'" in unknown.stderr
    lone = kbx_here("show", "gelu", "--gpu", "H200")
    assert lone.returncode == 2 and "--gpu belongs to --limits" in lone.stderr
