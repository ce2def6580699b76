"""Every claim says what it means before anything is counted."""

from kernelbenchx.analysis.claim_statements import BY_NAME, NO_NUMBER, OURS, STATEMENTS, Side


def test_names_are_unique_and_every_statement_is_defined() -> None:
    assert len(BY_NAME) == len(STATEMENTS)
    for one in STATEMENTS:
        assert one.says.endswith(".") and one.value and one.border
        unprinted = one.lacks == NO_NUMBER or one.paper == OURS
        assert (one.printed == "") == unprinted, one.name


def test_borders_name_the_side_and_the_threshold() -> None:
    assert BY_NAME["fusion_unsolved"].border == "above 50"
    assert BY_NAME["slower_than_eager"].border == "above 33.3"
    below = {one.name for one in STATEMENTS if one.side is Side.BELOW}
    assert "refinement_no_speedup" in below and "refinement_repairs" not in below
