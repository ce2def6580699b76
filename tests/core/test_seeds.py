from kernelbenchx.core.seeds import derive_seed, draw_seed


def test_fresh_seeds_differ() -> None:
    assert len({draw_seed() for _ in range(100)}) == 100


def test_a_derived_seed_depends_on_every_part() -> None:
    assert derive_seed(1, "a", 2) == derive_seed(1, "a", 2)
    assert (
        len(
            {
                derive_seed(1, "a", 2),
                derive_seed(2, "a", 2),
                derive_seed(1, "b", 2),
                derive_seed(1, "a", 3),
            }
        )
        == 4
    )
    assert derive_seed(1, "ab") != derive_seed(1, "a", "b")
