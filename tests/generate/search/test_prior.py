from generate.search.sources import NAMED, PRODUCT, TUNED
from kernelbenchx.generate.search.prior import MOST, NEARBY, Bottleneck, make_prior
from kernelbenchx.generate.search.setting_space import SettingSpace


def test_where_memory_is_waited_for_a_few_elements_a_thread_are_usual() -> None:
    held, space = make_prior(Bottleneck.MEMORY), SettingSpace.of(NAMED)
    assert held(space, (1024, 4)) == 0.0
    assert held(space, (8192, 1)) < held(space, (2048, 4)) < 0.0
    assert held(space, (8, 16)) >= -2 * MOST


def test_what_a_thread_has_no_registers_for_is_not_believed_in() -> None:
    held, space = make_prior(Bottleneck.MEMORY), SettingSpace.of(NAMED)
    fits, beyond = held(space, (8192, 1)), held(space, (1 << 15, 1))
    assert fits >= -2 * MOST and beyond < fits - 1.0
    assert held(space, (1 << 15, 16)) >= -2 * MOST


def test_a_product_wants_more_and_its_summed_side_does_not_count() -> None:
    space = SettingSpace.of(PRODUCT.replace("(n, 64)", "(n, 128)").replace("BN=64", "BN=128"))
    names = [choice.name.rpartition(".")[2] for choice in space.choices]

    def at(**values: int) -> float:
        point = tuple(values.get(name, now) for name, now in zip(names, space.start, strict=True))
        return make_prior(Bottleneck.ARITHMETIC)(space, point)

    assert abs(at(BK=64) - at(BK=32)) <= NEARBY
    assert at(BN=16) < at(BN=128)


def test_two_sizes_that_change_together_make_a_tile_of_both() -> None:
    space = SettingSpace.of(PRODUCT)
    (joined,) = (one for one in space.choices if len(one.kernels) == 2)
    point = {one.name: one.now for one in space.choices}
    small = make_prior(Bottleneck.ARITHMETIC)(space, tuple(point.values()))
    large = make_prior(Bottleneck.ARITHMETIC)(space, tuple((point | {joined.name: 512}).values()))
    assert large < small - 1.0


def test_what_the_author_wrote_is_believed_in_a_little() -> None:
    held, space = make_prior(Bottleneck.UNKNOWN), SettingSpace.of(NAMED)
    assert held(space, space.start) == 0.0
    assert -0.1 < held(space, (8192, 1)) < held(space, (2048, 4)) < 0.0


def test_of_lists_nothing_is_believed() -> None:
    assert make_prior(Bottleneck.MEMORY)(SettingSpace.of(TUNED), (1,)) == 0.0
