"""How a module gets its weights, and what becomes of one that fits in no way."""

from collections.abc import Callable

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Correct, Reason, Void, Wrong
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from tiers import mark_slow

TASK = "level2/gemm_multiply_leaky_relu"
HELD = "        self.gemm = nn.Linear(in_features, out_features)\n"
READ, ADDED = ", self.gemm.weight\n", ", self.gemm.bias,"
OTHER_NAME = {
    HELD: "        self.layer = nn.Linear(in_features, out_features)\n",
    READ: ", self.layer.weight\n",
    ADDED: ", self.layer.bias,",
}
OTHER_ORDER = {
    HELD: (
        "        layer = nn.Linear(in_features, out_features)\n"
        "        self.bias = nn.Parameter(layer.bias.detach())\n"
        "        self.weight = nn.Parameter(layer.weight.detach())\n"
    ),
    READ: ", self.weight\n",
    ADDED: ", self.bias,",
}
PACKED = {
    HELD: (
        HELD + "        self.register_buffer('packed', self.gemm.weight.detach().clone())\n"
        "        self.register_buffer('added', self.gemm.bias.detach().clone())\n"
    ),
    READ: ", self.packed\n",
    ADDED: ", self.added,",
}
ONLY_BUFFERS = {
    HELD: (
        "        layer = nn.Linear(in_features, out_features)\n"
        "        both = (layer.weight.detach(), layer.bias.detach()[:, None])\n"
        "        self.register_buffer('both', torch.cat(both, 1))\n"
    ),
    READ: ", self.both[:, :-1].contiguous()\n",
    ADDED: ", self.both[:, -1].contiguous(),",
}
TRANSPOSED = {
    HELD: (
        "        self.gemm = nn.Linear(out_features, in_features)\n"
        "        self.gemm.bias = nn.Parameter(torch.zeros(out_features))\n"
    ),
    READ: ", self.gemm.weight.t().contiguous()\n",
}
NO_MODULE = {
    "class ModelNew(nn.Module):": "class ModelNew:",
    "        super().__init__()\n": "",
}
Judge = Callable[[dict[str, str]], Evaluation]


@pytest.fixture
def judge(pipeline: Pipeline) -> Judge:
    def evaluated(changes: dict[str, str]) -> Evaluation:
        source = witness_source(TASK)
        for old, new in changes.items():
            assert old in source
            source = source.replace(old, new)
        return pipeline.evaluate(Submission(name="module", task=TASK, source=source))

    return evaluated


WAYS = {
    "as they are": ({}, "name"),
    "other names": (OTHER_NAME, "place"),
    "another order": (OTHER_ORDER, "part"),
    "packed": (PACKED, "seed"),
    "only buffers": (ONLY_BUFFERS, "seed"),
    "no module": (NO_MODULE, "name"),
}


@pytest.mark.parametrize("way", mark_slow(list(WAYS), fast=("as they are",)))
def test_a_right_module_is_correct_however_it_gets_its_weights(judge: Judge, way: str) -> None:
    changes, route = WAYS[way]
    right = judge(changes)
    assert isinstance(right.outcome, Correct), right.outcome
    assert (right.weights, right.task) == (route, TASK)
    wrong = judge({**changes, "acc *= multiplier": "acc = acc"})
    assert isinstance(wrong.outcome, Wrong | Void)
    if route != "seed":
        assert isinstance(wrong.outcome, Wrong) and wrong.weights == route


@pytest.mark.slow
def test_weights_that_fit_in_no_way_are_named(judge: Judge) -> None:
    found = judge(TRANSPOSED).outcome
    assert isinstance(found, Void) and found.reason is Reason.WEIGHTS
    assert "fit neither by name nor by place" in found.detail
    assert "transposed: `gemm.weight` has shape" in found.detail
    assert "\n" not in found.detail


@pytest.mark.slow
def test_what_fails_whatever_the_weights_is_no_question_of_weights(judge: Judge) -> None:
    raises = judge({**ONLY_BUFFERS, "return y": "raise RuntimeError('no')"})
    assert isinstance(raises.outcome, Broken)
    flat = judge({**ONLY_BUFFERS, "return y": "return y.reshape(-1)"})
    assert isinstance(flat.outcome, Wrong) and flat.outcome.reason is Reason.BAD_SHAPE
