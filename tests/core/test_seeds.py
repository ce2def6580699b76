from kernelbenchx.core.seeds import derived, fresh


def test_fresh_seeds_differ() -> None:
    assert len({fresh() for _ in range(100)}) == 100


def test_a_derived_seed_depends_on_every_part() -> None:
    assert derived(1, "a", 2) == derived(1, "a", 2)
    assert (
        len({derived(1, "a", 2), derived(2, "a", 2), derived(1, "b", 2), derived(1, "a", 3)}) == 4
    )
    assert derived(1, "ab") != derived(1, "a", "b")
