from kernelbenchx.report.site_layout import MOST_IN_A_CHUNK, place
from report_samples import attempt


def test_a_chunk_holds_one_task_and_not_too_much() -> None:
    many = [attempt(f"{n:064d}", task="math/add") for n in range(MOST_IN_A_CHUNK + 1)]
    site = place([*many, attempt("f" * 64, task="math/sub")])
    sizes = [(number, len(placed)) for number, placed in site.chunks()]
    assert sizes == [(0, MOST_IN_A_CHUNK), (1, 1), (2, 1)]
    assert site.tasks == ("math/add", "math/sub")


def test_rounds_of_one_method_stand_together() -> None:
    mixed = [
        attempt(f"{n:064d}", method=method, round=number)
        for n, (method, number) in enumerate([("b", 1), ("a", 1), ("b", 0), ("a", 0)])
    ]
    order = [(one.attempt.method, one.attempt.round) for one in place(mixed).placed]
    assert order == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]


def test_addresses_are_short_and_tell_keys_apart() -> None:
    alike = [attempt("a" * 20 + end * 44) for end in "bc"]
    found = {one.address for one in place(alike).placed}
    assert len(found) == 2
    assert {len(one) for one in found} == {21}
    assert [one.address for one in place(alike[:1]).placed] == ["a" * 12]


def test_the_same_evaluation_of_two_runs_has_two_addresses() -> None:
    twice = [attempt("a" * 64, method=method) for method in ("refine x=1", "refine x=2")]
    found = [one.address for one in place(twice).placed]
    assert found == ["a" * 12, "a" * 12 + "-2"]
