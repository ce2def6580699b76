"""The languages a task may ask for."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.languages import LANGUAGES, language_of
from kernelbenchx.checks.rule import Report
from kernelbenchx.core.errors import BadInput

Examine = Callable[..., Report]


def test_each_language_is_filed_under_its_name() -> None:
    assert {name: language.name for name, language in LANGUAGES.items()} == {
        "triton": "triton",
        "cuda": "cuda",
    }


def test_a_language_judges_only_its_own_text(examine: Examine) -> None:
    text = "__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n"
    assert not examine(text, language="cuda").fatal
    assert examine(text, language="triton").fatal


def test_an_unknown_language_is_an_error(examine: Examine) -> None:
    with pytest.raises(BadInput, match="unknown language 'hip'"):
        examine("", language="hip")


LOADED = "from torch.utils.cpp_extension import load_inline as build\nm = {}\n"
CUDA_TEXT = "#include <cuda_fp16.h>\n__global__ void k(float* y) { y[0] = 1; }\n"
JIT = "import triton\n@triton.jit\ndef k(x): pass\n"


@pytest.mark.parametrize(
    "source",
    [
        LOADED.format("build(name='m', cuda_sources='')"),
        "import torch\nm = torch.utils.cpp_extension.load(name='m', sources=['m.cu'])\n",
        "import torch.utils.cpp_extension as ext\nm = ext.load_inline(name='m')\n",
        CUDA_TEXT,
        f"source = '''{CUDA_TEXT}'''\n",
    ],
)
def test_python_that_has_cuda_compiled_is_cuda(source: str) -> None:
    assert language_of(source) == "cuda"


@pytest.mark.parametrize(
    "source",
    [
        LOADED.format("1"),  # imported and not used
        f'"""Like {CUDA_TEXT}"""\n{JIT}',
        JIT + "# __global__ void k(); load_inline\n",
        JIT + "__global__ void k() {}\n",
        "load_inline: I would write __global__ here.\n",
    ],
)
def test_python_that_speaks_of_cuda_is_not(source: str) -> None:
    assert language_of(source) == "triton"
    assert language_of(source, "cuda") == "cuda"
