import random

from generate.search.sources import NAMED, PRODUCT, TUNED
from kernelbenchx.generate.search.choice_reader import choices_of
from kernelbenchx.generate.search.setting_space import MOST_CHOICES, POOL, SettingSpace


def test_the_start_is_the_text_itself() -> None:
    space = SettingSpace.of(NAMED)
    assert space.source(space.start) == NAMED
    assert space.setting(space.start) == {"_scale.BLOCK": 1024, "_scale.num_warps": 4}


def test_features_count_doublings_and_the_work_of_a_thread() -> None:
    space = SettingSpace.of(NAMED)
    assert space.features((4096, 2)) == {
        "_scale.BLOCK": 12.0,
        "_scale.num_warps": 1.0,
        "_scale: work of a thread": 11.0,
    }


def test_a_configuration_of_a_list_is_a_feature_of_its_own() -> None:
    space = SettingSpace.of(TUNED)
    assert space.features((2,)) == {"_scale.configs=2": 1.0}
    assert space.opens((2,))
    assert not space.opens((0,))


def test_a_size_at_the_end_of_its_range_opens_more() -> None:
    space = SettingSpace.of(NAMED)
    assert space.opens((8192, 4))
    assert space.opens((128, 4))
    assert not space.opens((4096, 16))
    further = SettingSpace.of(space.source((8192, 4)), space.family)
    assert further.family == space.family
    assert (16384, 4) in further.pool([], random.Random(1))


def test_of_very_many_choices_a_part_is_kept() -> None:
    launches = "".join(f"    _scale[g](y, x, n, {1 << k}, num_warps=1)\n" for k in range(2, 13))
    launches += "".join(f"    _scale[g](y, x, n, 8, num_warps={k})\n" for k in range(2, 12))
    text = NAMED + f"\n\ndef more(x, y, n, g):\n{launches}"
    assert len(choices_of(text)) > MOST_CHOICES
    assert len(SettingSpace.of(text).choices) == MOST_CHOICES


def test_neighbours_are_one_step_away_in_at_most_two_choices() -> None:
    space = SettingSpace.of(NAMED)
    near = set(space.neighbours((1024, 4)))
    assert near == {
        *((512, 4), (2048, 4), (1024, 2), (1024, 8)),
        *((512, 2), (512, 8), (2048, 2), (2048, 8)),
    }


def test_a_small_space_is_looked_through_and_a_large_one_drawn_from() -> None:
    space, chance = SettingSpace.of(NAMED), random.Random(1)
    assert len(space.pool([], chance)) == space.size == 35
    large = SettingSpace.of(PRODUCT.replace("m, 64", "m, 128").replace("BM=64", "BM=128"))
    assert large.size > POOL
    drawn = large.pool([large.start], random.Random(1))
    assert set(large.neighbours(large.start)) <= set(drawn)
    assert POOL / 2 < len(drawn) <= POOL + 200
    assert drawn == large.pool([large.start], random.Random(1))


def test_two_texts_of_one_program_are_one_space() -> None:
    assert SettingSpace.of(NAMED).digest == SettingSpace.of("# note\n" + NAMED).digest
    assert SettingSpace.of(NAMED).digest != SettingSpace.of(NAMED.replace("1024", "512")).digest
