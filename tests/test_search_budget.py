"""The simulation behind the search: what it printed, and what the page repeats of it."""

import re
from pathlib import Path

from benchmark_files import FOLDER, benchmark

PRINTED = (FOLDER / "search_budget.txt").read_text(encoding="utf-8")
PAGE = (Path(__file__).parents[1] / "docs" / "explanation" / "search.md").read_text(
    encoding="utf-8"
)


def _rows(text: str) -> dict[tuple[str, str], list[str]]:
    lines = re.findall(r"^\| ([\w ]+) \| \d+ \| ([\w ,]+) \| (.*) \|$", text, flags=re.M)
    return {(kernel, way): rest.split(" | ") for kernel, way, rest in lines}


def _few(text: str) -> dict[tuple[str, str], list[str]]:
    lines = re.findall(r"^\| ([\w ]+) \| ([\w ,]+) \| ([\d.]+%.*) \|$", text, flags=re.M)
    return {(kernel, way): rest.split(" | ") for kernel, way, rest in lines}


def _shares(cells: list[str]) -> list[float]:
    return [float(cell.removesuffix("%")) / 100 for cell in cells]


def _count(said: str) -> float:
    return float(said.removeprefix("over ")) + said.startswith("over ")


def test_every_kernel_and_every_way_was_run() -> None:
    module = benchmark("search_budget")
    assert set(_rows(PRINTED)) == {(w.name, way) for w in module.WORLDS for way in module.WAYS}


def test_the_search_needs_fewer_evaluations_than_random_draws_and_a_grid() -> None:
    rows = _rows(PRINTED)
    for kernel in ("reduction of rows", "matrix product"):
        search, one_by_one = (_count(rows[kernel, way][0]) for way in ("search", "climbing"))
        others = [_count(rows[kernel, way][0]) for way in ("random", "grid")]
        assert 3 * search < min(others)
        assert search < one_by_one
    tails = {way: _count(rows["elementwise", way][1]) for way in ("search", "random", "grid")}
    assert 2 * tails["search"] < min(tails["random"], tails["grid"])


def test_what_is_believed_helps_at_first_and_a_batch_costs_little() -> None:
    counts, shares = _rows(PRINTED), _few(PRINTED)
    for kernel in ("elementwise", "reduction of rows", "matrix product"):
        search, batch = (_count(counts[kernel, way][0]) for way in ("search", "search, 4 at once"))
        assert batch <= 2 * search + 4
        mine, bare = (_shares(shares[kernel, way]) for way in ("search", "search, no belief"))
        assert all(one < other for one, other in zip(mine[1:3], bare[1:3], strict=True))


def test_a_few_evaluations_bring_most_of_it_from_a_sensible_start() -> None:
    rows = _few(PRINTED)
    for kernel in ("reduction of rows", "matrix product"):
        search, chance = (_shares(rows[kernel, way]) for way in ("search", "random"))
        assert search[0] == chance[0] and search[-1] < 0.25 * search[0]
        assert all(mine < other for mine, other in zip(search[1:], chance[1:], strict=True))


def test_the_page_repeats_rows_that_were_printed() -> None:
    for read, least in ((_rows, 9), (_few, 9)):
        rows, printed = read(PAGE), read(PRINTED)
        assert len(rows) >= least
        assert all(printed[name] == cells for name, cells in rows.items())
