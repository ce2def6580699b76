"""A wrong submission is run until a case tells; a right one through all of them."""

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify import catching
from kernelbenchx.certify.catching import Catcher
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline

NAME = "activation/relu"


def _changed(old: str, new: str) -> str:
    source = witness_source(NAME)
    assert source.count(old) == 1
    return source.replace(old, new)


def _submission(source: str) -> Submission:
    return Submission(name="changed", task=NAME, source=source)


def test_the_witness_is_not_caught_and_a_wrong_kernel_is(pipeline: Pipeline) -> None:
    catcher = Catcher(pipeline)
    assert catcher.catch(_submission(witness_source(NAME))) is None
    wrong = catcher.catch(_submission(_changed("v < 0.0", "v > 0.0")))
    assert wrong is not None and wrong.corner
    broken = catcher.catch(_submission(_changed("return input if", "return nothing if")))
    assert broken is not None and broken.by.startswith("runtime_error")


def test_what_only_a_compiler_refuses_is_caught(pipeline: Pipeline) -> None:
    old = "    at = first + tl.arange(0, BLOCK)\n"
    changed = _changed(old, f"{old}    at = at if n > 0 else at.to(tl.float32)\n")
    caught = Catcher(pipeline).catch(_submission(changed))
    assert caught is not None and caught.by.startswith("compile_error")


def test_cases_in_which_the_witness_fails_prove_nothing(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = _changed("v < 0.0", "v > 0.0")
    monkeypatch.setattr(catching, "witness_source", lambda _name: wrong)
    assert Catcher(pipeline).catch(_submission(wrong)) is None
