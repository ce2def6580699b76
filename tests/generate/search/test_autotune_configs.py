import ast

import pytest

from kernelbenchx.generate.search.autotune_configs import tuner_of


def _kernel(decorator: str) -> ast.FunctionDef:
    kernel = ast.parse(f"{decorator}\ndef k(x): ...").body[0]
    assert isinstance(kernel, ast.FunctionDef)
    return kernel


def test_numbers_of_a_single_configuration() -> None:
    tuner = tuner_of(_kernel("@triton.autotune([Config({'B': 64, 'T': 'x'}, num_warps=8)], ['n'])"))
    assert tuner is not None
    assert {name: node.value for name, node in tuner.numbers().items()} == {
        "B": 64,
        "num_warps": 8,
    }


def test_numbers_of_several_belong_to_nobody() -> None:
    listed = "configs=[triton.Config({'B': 64}), triton.Config(kwargs={'B': 32})]"
    tuner = tuner_of(_kernel(f"@triton.autotune({listed}, key=[])"))
    assert tuner is not None
    assert len(tuner.configs) == 2
    assert tuner.numbers() == {}


@pytest.mark.parametrize("configs", ["made()", "[*made()]", "[Config({}) for _ in a]"])
def test_a_list_made_by_code_cannot_be_changed(configs: str) -> None:
    tuner = tuner_of(_kernel(f"@triton.autotune(configs={configs}, key=[])"))
    assert tuner is not None
    assert tuner.configs == ()


def test_a_kernel_without_a_list_has_no_tuner() -> None:
    assert tuner_of(_kernel("@triton.jit")) is None
