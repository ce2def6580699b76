"""`kbx generate`, told numbers, addresses and levels that cannot be: nothing is asked or begun."""

import time
from pathlib import Path

import pytest

from cli_types import Kbx
from generate.loopback import Loopback, Say
from kernelbenchx.generate.retry_policy import RetryPolicy

PLAIN = ["--tasks", "relu", "--model", "openai:m", "--device", "interpreter"]
NOWHERE = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--temperature", "nan"], "nan is not in the range 0<=x<=2"),
        (["--temperature", "2.5"], "2.5 is not in the range 0<=x<=2"),
        (["--timeout", "nan"], "nan is not in the range 1<=x<=7200"),
        (["--cap-dollars", "inf"], "inf is not in the range x>0"),
        (["-o", "temperature=nan"], "options of sample: temperature must be a number >= 0"),
        (["-o", "temperature=-5"], "options of sample: temperature must be a number >= 0"),
        (["-o", "temperature=inf"], "options of sample: temperature must be a number <= 2"),
        (["--base-url", "http://127.0.0.1:99999/v1"], "no base URL"),
        (["--base-url", "http://127.0.0.1:0/v1"], "no base URL"),
        (["--method", "kernel_agent", "--isolation", "L1"], "isolation L2 or L3, not L1"),
    ],
)
def test_impossible_numbers_are_refused_in_one_line(
    kbx_here: Kbx, tmp_path: Path, words: list[str], said: str
) -> None:
    out = tmp_path / "run"
    address = [] if "--base-url" in words else ["--base-url", NOWHERE]
    refused = kbx_here("generate", "--method", "sample", *PLAIN, *address, *words, "--out", out)
    assert refused.returncode == 2
    assert said in refused.stderr and refused.stderr.count("\n") == 1, refused.stderr
    assert not out.exists()


def test_an_address_where_nobody_is_ends_soon_and_is_named(
    kbx_here: Kbx, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = {**(RetryPolicy.__init__.__kwdefaults__ or {}), "first_s": 0.05, "reach_s": 0.1}
    monkeypatch.setattr(RetryPolicy.__init__, "__kwdefaults__", {**hasty, "tries": 1000})
    words = ["generate", "--method", "sample", *PLAIN, "--stage", "check", "--out", tmp_path]
    words[words.index("relu")] = "relu,gelu,add"
    began = time.monotonic()
    said = kbx_here(*words, "--base-url", NOWHERE, "--in-flight", "2")
    assert time.monotonic() - began < 60.0
    assert said.returncode == 1
    assert f"3 tasks unanswered: no connection to {NOWHERE}: " in said.stdout
    with Loopback(lambda _: Say("no")) as server:
        assert kbx_here(*words, "--base-url", server.url).returncode == 0
        assert len(server.asked) == 30
