"""The page on claims says what the program and the kept simulation say."""

import re
from pathlib import Path

from benchmark_files import FOLDER, benchmark
from kernelbenchx.analysis.claim_findings import ClaimVerdict
from kernelbenchx.analysis.claim_statements import STATEMENTS
from script_files import script

ROOT = Path(__file__).resolve().parents[1]
PRINTED = (FOLDER / "planted_claims.txt").read_text(encoding="utf-8")


def _words(text: str) -> str:
    """Without numbers that are drawn at random, which another numpy may draw differently."""
    return re.sub(r"(category_over_method \|[^\n]*?)\[[^]]*\]", r"\1", text)


def test_the_page_is_up_to_date() -> None:
    module = script("write_claims")
    kept = module.DOCUMENT.read_text(encoding="utf-8")
    assert _words(kept) == _words(module.document()), "run python scripts/write_claims.py"
    assert _words(kept.replace("71.67 [59.23", "71.67 [58.23")) != _words(kept)


def test_every_claim_was_simulated_a_hundred_times() -> None:
    module = benchmark("planted_claims")
    assert PRINTED.startswith("100 studies")
    assert [one.claim for one in module.CLAIMS] == [one.name for one in STATEMENTS]
    assert all(f"| {one.claim}" in PRINTED for one in module.CLAIMS)


def test_the_kept_print_keeps_what_was_promised() -> None:
    module = benchmark("planted_claims")
    found = {
        line.partition(":")[0]: float(re.findall(r": (\d+\.\d)%", line)[0]) / 100
        for line in PRINTED.splitlines()
        if "is called" in line
    }
    assert found["a false claim is called holds"] <= module.FALSE
    assert found["a true claim with the paper's n is called fails"] <= module.TRUE
    assert found["twice the effect and four times n is called holds"] >= module.TWICE


def test_a_few_studies_are_judged_as_planted() -> None:
    module = benchmark("planted_claims")
    few = [one for one in module.CLAIMS if one.claim in ("refinement_repairs", "fusion_unsolved")]
    found = module.tally(4, few)
    assert module.pooled(found, module.KINDS[3:], ClaimVerdict.HOLDS) == 1.0
    assert module.pooled(found, module.KINDS[1:2], ClaimVerdict.HOLDS) == 0.0
    assert module.pooled(found, module.KINDS[1:2], ClaimVerdict.FAILS) > 0.5
