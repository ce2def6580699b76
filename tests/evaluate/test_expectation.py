from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.rule import Form, Kind, Randomness
from kernelbenchx.evaluate.expectation import accepted_entries, expectation_of


def test_the_statement_s_name_comes_first_and_the_published_fallback_last() -> None:
    assert accepted_entries(facts("activation/relu")) == ("relu", "kernel_function")


def test_the_signature_is_carried_over() -> None:
    expected = expectation_of(facts("random/rand"), "triton")
    assert expected.form is Form.FUNCTION
    assert expected.randomness is Randomness.GENERATOR
    kinds = {one.name: one.kind for one in expected.parameters}
    assert kinds["size"] is Kind.VAR_POSITIONAL
    assert kinds["generator"] is Kind.KEYWORD_ONLY
