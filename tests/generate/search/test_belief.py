from generate.search.sources import NAMED, PRODUCT, TUNED
from kernelbenchx.generate.search.belief import MOST, Bound, belief
from kernelbenchx.generate.search.space import Space


def test_where_memory_is_waited_for_a_few_elements_a_thread_are_usual() -> None:
    held, space = belief(Bound.MEMORY), Space.of(NAMED)
    assert held(space, (1024, 4)) == 0.0
    assert held(space, (8192, 1)) < held(space, (2048, 4)) < 0.0
    assert held(space, (1 << 16, 1)) == -MOST


def test_a_product_wants_more_and_its_summed_side_does_not_count() -> None:
    space = Space.of(PRODUCT.replace("(n, 64)", "(n, 128)").replace("BN=64", "BN=128"))
    names = [choice.name.rpartition(".")[2] for choice in space.choices]

    def at(**values: int) -> float:
        point = tuple(values.get(name, now) for name, now in zip(names, space.start, strict=True))
        return belief(Bound.ARITHMETIC)(space, point)

    assert at(BK=64) == at(BK=32)
    assert at(BN=16) < at(BN=128)


def test_nothing_is_believed_where_nothing_is_known() -> None:
    assert belief(Bound.UNKNOWN)(Space.of(NAMED), (8192, 1)) == 0.0
    assert belief(Bound.MEMORY)(Space.of(TUNED), (1,)) == 0.0
