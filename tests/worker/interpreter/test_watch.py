"""What a watch keeps, and what it forgets when a call begins."""

from __future__ import annotations

from kernelbenchx.worker.interpreter import Watch


def test_programs_are_permuted_by_the_seed() -> None:
    orders = {seed: Watch(seed).permutation(50) for seed in (1, 2)}
    assert orders[1] == Watch(1).permutation(50)
    assert orders[1] != orders[2]
    assert sorted(orders[1]) == list(range(50))


def test_each_launch_of_a_call_has_an_order_of_its_own() -> None:
    watch = Watch(1)
    first, second = watch.permutation(50), watch.permutation(50)
    assert first != second
    watch.begin_call()
    assert watch.permutation(50) == first


def test_reversed_and_in_order_are_what_they_say() -> None:
    watch = Watch(1)
    watch.begin_call(order="reversed")
    assert watch.permutation(3) == [2, 1, 0]
    watch.begin_call(order="in_order")
    assert watch.permutation(3) == [0, 1, 2]


def test_a_new_call_starts_from_nothing() -> None:
    watch = Watch(0)
    watch.flags.add("waits")
    watch.bytes_loaded = 5
    watch.report_race({"kernel": "k"})
    watch.begin_call(ablate=True)
    assert (watch.flags, watch.bytes_loaded, watch.races, watch.ablate) == (set(), 0, [], True)


def test_races_are_kept_once_and_up_to_a_limit() -> None:
    watch = Watch(0)
    for number in (1, 1, *range(100)):
        watch.report_race({"offset": number})
    assert len(watch.races) == 20
    assert watch.has_enough_races()


def test_a_trial_counts_for_nothing() -> None:
    watch = Watch(0)
    watch.launches.append({"kernel": "first"})
    mark = watch.mark()
    watch.launches.append({"kernel": "tried"})
    watch.bytes_stored = 7
    watch.forget_since(mark)
    assert [launch["kernel"] for launch in watch.launches] == ["first"]
    assert watch.bytes_stored == 0
