import pytest

from kernelbenchx.core.time_limit import AUTO, call_limit, spell_rule, total_limit


@pytest.mark.parametrize(
    ("witness_s", "limit"), [(0.0, 3.0), (0.15, 3.0), (0.2, 4.0), (1.234, 24.7), (9.0, 60.0)]
)
def test_a_call_has_twenty_times_the_witness_within_bounds(witness_s: float, limit: float) -> None:
    assert call_limit(witness_s) == limit


def test_all_calls_together_have_no_more_than_before() -> None:
    assert total_limit(AUTO) == 60.0 and total_limit(7.5) == 7.5


def test_a_key_has_the_rule_and_its_numbers() -> None:
    assert spell_rule(AUTO) == "auto 20 3.0 60.0"
    assert spell_rule(60.0) == "60.0" != spell_rule(AUTO)
