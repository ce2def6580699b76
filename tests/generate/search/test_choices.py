import pytest

from kernelbenchx.generate.search.choices import (
    ChoiceKind,
    TuningChoice,
    ValueSpan,
    read_setting,
    size,
    write,
)

TEXT = "é = 8\nn = (é + 7) // 8\n"
FIRST = TuningChoice(
    "k.B", ChoiceKind.BLOCK, 8, (4, 8, 16), (ValueSpan(5, 6), ValueSpan(17, 18, plus=-1))
)
SECOND = TuningChoice("k.num_warps", ChoiceKind.WARPS, 4, (2, 4), (ValueSpan(23, 24),))


def test_every_place_follows_and_nothing_else_changes() -> None:
    assert write(TEXT, [FIRST], {"k.B": 16}) == "é = 16\nn = (é + 15) // 8\n"
    assert write(TEXT, [FIRST, SECOND], {"k.B": 4, "k.num_warps": 2}) == "é = 4\nn = (é + 3) // 2\n"


def test_the_setting_of_the_text_leaves_it_byte_for_byte() -> None:
    assert write(TEXT, [FIRST, SECOND], read_setting([FIRST, SECOND])) == TEXT
    assert write(TEXT, [FIRST], {}) == TEXT


def test_a_place_may_hold_a_text_for_each_value() -> None:
    listed = TuningChoice(
        "k.configs", ChoiceKind.CONFIGS, 0, (0, 1, 2), (ValueSpan(0, 3, texts=("", "a", "b")),)
    )
    assert write("a,b", [listed], {"k.configs": 2}) == "b"
    assert write("a,b", [listed], {"k.configs": 0}) == "a,b"


def test_settings_are_counted() -> None:
    assert size([FIRST, SECOND]) == 6
    assert size([]) == 1


@pytest.mark.parametrize(
    ("name", "kernels"),
    [("k.B", ("k",)), ("k.A,other.B", ("k", "other")), ("k.BM,k.BN", ("k", "k"))],
)
def test_a_choice_has_a_kernel_for_each_of_its_parameters(
    name: str, kernels: tuple[str, ...]
) -> None:
    assert TuningChoice(name, ChoiceKind.BLOCK, 8, (8,), ()).kernels == kernels
