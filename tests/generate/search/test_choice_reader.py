import ast
import time

import pytest

from generate.search.sources import HEAD, KERNEL, NAMED, PLAIN, PRODUCT, REPEATED, TUNED
from kernelbenchx.generate.search.choice_reader import choices_of
from kernelbenchx.generate.search.choices import ChoiceKind, TuningChoice, write


def _named(text: str) -> dict[str, TuningChoice]:
    return {choice.name: choice for choice in choices_of(text)}


def _changed(text: str, **values: int) -> str:
    """By the last part of a choice's name."""
    choices = choices_of(text)
    full = {choice.name.rpartition(".")[2]: choice.name for choice in choices}
    return write(text, choices, {full[name]: value for name, value in values.items()})


def test_a_name_that_reaches_a_constant_of_the_kernel_is_changed_where_it_is_set() -> None:
    found = _named(NAMED)
    assert list(found) == ["_scale.BLOCK", "_scale.num_warps"]
    assert found["_scale.BLOCK"].values == (128, 256, 512, 1024, 2048, 4096, 8192)
    changed = _changed(NAMED, BLOCK=2048, num_warps=8)
    assert changed == NAMED.replace("BLOCK = 1024", "BLOCK = 2048").replace(
        "num_warps=4", "num_warps=8"
    )


def test_a_launch_without_warps_gets_the_keyword_only_when_it_differs() -> None:
    assert _changed(PLAIN, BLOCK=512, num_warps=4) == PLAIN.replace("=256", "=512")
    changed = _changed(PLAIN, num_warps=8)
    assert "BLOCK=256, num_warps=8,  # last, with a comma" in changed
    assert changed.replace(" num_warps=8,", "") == PLAIN


@pytest.mark.parametrize(
    ("call", "written"),
    [
        ("_scale[g](y, x, n, BLOCK=(64))", "_scale[g](y, x, n, BLOCK=(64), num_warps=2)"),
        ("_scale[g](y, x, n, 64)", "_scale[g](y, x, n, 64, num_warps=2)"),
        ("_scale[g](y, x, n, 64,)", "_scale[g](y, x, n, 64, num_warps=2,)"),
    ],
)
def test_a_keyword_fits_behind_whatever_comes_last(call: str, written: str) -> None:
    text = HEAD + KERNEL + f"def f(x, y, n, g):\n    {call}\n"
    assert written in _changed(text, num_warps=2)


def test_sizes_in_a_dictionary_of_options_are_choices_too() -> None:
    body = """def f(x, y, n):
    words = {"BLOCK": 64, "num_stages": 2}
    _scale[(triton.cdiv(n, 64),)](y, x, n, **words)
"""
    text = HEAD + KERNEL + body
    assert list(_named(text)) == ["_scale.BLOCK", "_scale.num_stages", "_scale.num_warps"]
    changed = _changed(text, BLOCK=128, num_warps=8)
    assert '{"BLOCK": 128, "num_stages": 2}' in changed
    assert "cdiv(n, 128),)](y, x, n, **words, num_warps=8)" in changed


def test_stages_are_a_choice_only_where_there_is_a_loop() -> None:
    assert "_scale.num_stages" not in _named(NAMED)
    assert _named(PRODUCT)["_product.num_stages"].kind is ChoiceKind.STAGES


def test_a_grid_that_repeats_a_size_follows_it() -> None:
    changed = _changed(REPEATED, BLOCK=128)
    assert "blocks = (n + 127) // 128" in changed
    assert "_scale[(blocks,)](y, x, n, 128)" in changed


def test_equal_sizes_that_a_grid_repeats_change_together_and_others_alone() -> None:
    found = _named(PRODUCT)
    assert found["_product.BM,_product.BN"].now == 64
    assert found["_product.BM,_product.BN"].values[0] == 16
    assert found["_product.BK"].places != ()
    apart = PRODUCT.replace("(n, 64)", "(n, 128)").replace("BN=64", "BN=128")
    changed = _changed(apart, BN=32)
    assert "cdiv(n, 32)" in changed
    assert "cdiv(m, 64)" in changed


def test_one_of_several_configurations_may_stay_alone_and_is_then_read_further() -> None:
    found = _named(TUNED)
    assert list(found) == ["_scale.configs"]
    alone = _changed(TUNED, configs=2)
    assert '{"BLOCK": 2048}, num_warps=8),  # wide' in alone
    assert "128" not in alone
    inner = _named(alone)
    assert (inner["_scale.BLOCK"].now, inner["_scale.num_warps"].now) == (2048, 8)
    assert '{"BLOCK": 512}, num_warps=8' in _changed(alone, BLOCK=512)


def test_defaults_and_constants_of_the_file_are_read() -> None:
    default = KERNEL.replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr = 512")
    text = HEAD + default + "def f(x, y, n, g):\n    _scale[g](y, x, n)\n"
    assert "tl.constexpr = 64" in _changed(text, BLOCK=64)
    given = text.replace("(y, x, n)", "(y, x, n, x.numel())")
    assert "_scale.BLOCK" not in _named(given)
    of_file = "SIZE = tl.constexpr(256)\n" + KERNEL.replace(", BLOCK: tl.constexpr", "").replace(
        "BLOCK", "SIZE"
    )
    text = HEAD + of_file + "def f(x, y, n, g):\n    _scale[g](y, x, n)\n"
    assert "SIZE = tl.constexpr(1024)" in _changed(text, SIZE=1024)


@pytest.mark.parametrize(
    "value",
    ["triton.next_power_of_2(n)", "n", "1000", "1", "True", "'256'", "64.0", "unknown", "64 + n"],
)
def test_what_is_no_number_of_the_text_is_no_choice(value: str) -> None:
    call = f"_scale[g](y, x, n, FLAG={value})"
    kernel = KERNEL.replace("BLOCK", "FLAG")
    text = HEAD + kernel + f"def f(x, y, n, g):\n    {call}\n"
    assert list(_named(text)) == ["_scale.num_warps"]


def test_the_bound_of_a_computed_size_is_a_choice() -> None:
    text = (
        HEAD
        + KERNEL
        + (
            "def f(x, y, n, g):\n    block = min(triton.next_power_of_2(n), 1024)\n"
            "    _scale[g](y, x, n, BLOCK=block)\n"
        )
    )
    assert "next_power_of_2(n), 2048)" in _changed(text, BLOCK=2048)


def test_options_that_may_be_given_twice_are_left_alone() -> None:
    text = HEAD + KERNEL + "def f(x, y, n, g, **more):\n    _scale[g](y, x, n, 64, **more)\n"
    assert list(_named(text)) == ["_scale.BLOCK"]


@pytest.mark.parametrize("text", ["", "def (", "\0", "x = 1", "f[g](BLOCK=64)", "(" * 500])
def test_whatever_the_text_is_nothing_is_raised(text: str) -> None:
    assert choices_of(text) == ()


def test_a_source_that_is_made_to_take_long_does_not() -> None:
    names = [f"a{number}" for number in range(40)]
    tangled = "".join(f"    {name} = min({', '.join(names)}, 64)\n" for name in names)
    calls = "    _scale[(triton.cdiv(a1, a2) * a3,)](y, x, a5, BLOCK=a0)\n" * 80
    text = HEAD + KERNEL + f"def f(x, y):\n{tangled}{calls}"
    began = time.process_time()
    choices_of(text)
    assert time.process_time() - began < 4.0


@pytest.mark.parametrize("text", [NAMED, PLAIN, REPEATED, PRODUCT, TUNED])
@pytest.mark.parametrize("lead", ["", "\ufeff", "# ü\r\n", "'''\f'''\n"])
def test_only_numbers_differ_in_the_tree_whatever_precedes(text: str, lead: str) -> None:
    choices = choices_of(lead + text)
    assert choices
    for choice in choices:
        if choice.kind is not ChoiceKind.BLOCK:
            continue
        other = write(lead + text, choices, {choice.name: choice.values[0]})
        assert other.startswith(lead)
        assert _without_numbers(other) == _without_numbers(lead + text)
        assert other != lead + text


def _without_numbers(text: str) -> str:
    tree = ast.parse(text.removeprefix("\ufeff"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            node.value = 0
    return ast.dump(tree)
