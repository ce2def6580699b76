"""What `benchmarks/kernelbench_audit.py` says beside the table."""

from typing import Any

from benchmark_files import benchmark

ROW: dict[str, Any] = {
    "level": 1,
    "number": 7,
    "failed": "",
    "values": ["normal", "published"],
    "sizes": {"rows": 2},
    "random": False,
    "honest": 0.25,
}


def test_it_counts_what_was_drawn_and_what_was_left_out() -> None:
    describe = benchmark("kernelbench_audit").describe
    whole = {**ROW, "number": 8, "values": ["published"], "sizes": {}, "honest": 0.5}
    failed = {**ROW, "number": 9, "failed": "raised", "values": []}
    lines = "\n".join(describe([ROW, whole, failed, {"name": "level1/10_X", "failed": "no"}]))
    assert "3 of 4 files are problems; 2 can be drawn" in lines
    assert "finite answers: 1 normal, 2 published" in lines
    assert "judged at the published size: L1/8\n" in lines
    assert "torch's own float32 passes 2 of the 2 others, with at most 0.5 of the budget" in lines
    assert "judged at the published size: none" in "\n".join(describe([ROW]))


def test_it_names_problems_that_honest_float32_fails() -> None:
    describe = benchmark("kernelbench_audit").describe
    lines = "\n".join(describe([ROW, {**ROW, "number": 8, "honest": 2.9, "sizes": {"rows": 3}}]))
    assert "torch's own float32 passes 1 of the 2 others, with at most 0.25 of the budget" in lines
    assert "  fails L1/8: 2.9 of the budget, at rows=3" in lines
    published = {**ROW, "honest": 2.9, "sizes": {}}
    assert "2.9 of the budget, at the published size" in "\n".join(describe([published]))
    assert "fails" not in "\n".join(describe([ROW]))


def test_random_problems_are_named_and_not_held_against_float32() -> None:
    describe = benchmark("kernelbench_audit").describe
    lines = "\n".join(describe([ROW, {**ROW, "number": 8, "random": True, "honest": 13.0}]))
    assert "random: L1/8\n" in lines and "passes 1 of the 1 others" in lines
    assert "fails" not in lines
    assert "random: none" in "\n".join(describe([ROW]))
