import pytest

from kernelbenchx.generate.search.choices import Choice, Kind, Place, settled, size, write

TEXT = "é = 8\nn = (é + 7) // 8\n"
FIRST = Choice("k.B", Kind.BLOCK, 8, (4, 8, 16), (Place(5, 6), Place(17, 18, plus=-1)))
SECOND = Choice("k.num_warps", Kind.WARPS, 4, (2, 4), (Place(23, 24),))


def test_every_place_follows_and_nothing_else_changes() -> None:
    assert write(TEXT, [FIRST], {"k.B": 16}) == "é = 16\nn = (é + 15) // 8\n"
    assert write(TEXT, [FIRST, SECOND], {"k.B": 4, "k.num_warps": 2}) == "é = 4\nn = (é + 3) // 2\n"


def test_the_setting_of_the_text_leaves_it_byte_for_byte() -> None:
    assert write(TEXT, [FIRST, SECOND], settled([FIRST, SECOND])) == TEXT
    assert write(TEXT, [FIRST], {}) == TEXT


def test_a_place_may_hold_a_text_for_each_value() -> None:
    listed = Choice("k.configs", Kind.CONFIGS, 0, (0, 1, 2), (Place(0, 3, texts=("", "a", "b")),))
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
    assert Choice(name, Kind.BLOCK, 8, (8,), ()).kernels == kernels
