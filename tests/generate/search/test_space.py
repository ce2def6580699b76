import random

from generate.search.sources import NAMED, PRODUCT, TUNED
from kernelbenchx.generate.search.space import POOL, Space, digest_of


def test_the_start_is_the_text_itself() -> None:
    space = Space.of(NAMED)
    assert space.source(space.start) == NAMED
    assert space.setting(space.start) == {"_scale.BLOCK": 1024, "_scale.num_warps": 4}
    assert set(space.features(space.start).values()) == {0.0}


def test_features_count_doublings_and_the_work_of_a_thread() -> None:
    space = Space.of(NAMED)
    found = space.features((4096, 2))
    assert found["_scale.BLOCK"] == 2.0
    assert found["_scale.num_warps"] == -1.0
    assert found["_scale: work of a thread"] == 3.0


def test_a_configuration_of_a_list_is_a_feature_of_its_own() -> None:
    space = Space.of(TUNED)
    assert space.features((2,)) == {"_scale.configs=2": 1.0}
    assert not space.is_narrowed
    assert Space.of(space.source((2,))).is_narrowed


def test_neighbours_are_one_step_away_in_at_most_two_choices() -> None:
    space = Space.of(NAMED)
    near = set(space.neighbours((1024, 4)))
    assert near == {
        *((512, 4), (2048, 4), (1024, 2), (1024, 8)),
        *((512, 2), (512, 8), (2048, 2), (2048, 8)),
    }


def test_a_small_space_is_looked_through_and_a_large_one_drawn_from() -> None:
    space, chance = Space.of(NAMED), random.Random(1)
    assert len(space.pool([], chance)) == space.size == 35
    large = Space.of(PRODUCT.replace("m, 64", "m, 128").replace("BM=64", "BM=128"))
    assert large.size > POOL
    drawn = large.pool([large.start], random.Random(1))
    assert set(large.neighbours(large.start)) <= set(drawn)
    assert POOL / 2 < len(drawn) <= POOL + 200
    assert drawn == large.pool([large.start], random.Random(1))


def test_code_is_the_same_however_it_is_set() -> None:
    assert digest_of(NAMED) == digest_of("# note\n" + NAMED.replace("y, x,", "y,  x,"))
    assert digest_of(NAMED) != digest_of(NAMED.replace("1024", "512"))
    assert digest_of("def (") != digest_of("def (:")
