import pytest

from kernelbenchx.catalog.contract_wording import contract_words
from kernelbenchx.catalog.facts import ContractFacts
from kernelbenchx.core.errors import BrokenTask


def test_tf32_and_zeros_are_said_as_declared() -> None:
    plain = contract_words(ContractFacts(kind="Close"))
    assert "not allowed" in plain and "-0.0 equals 0.0" in plain
    options = {"tf32": "True", "signed_zero": "True", "scale": "f"}
    wide = contract_words(ContractFacts(kind="Close", options=options))
    assert "may round their operands to TF32" in wide and "sign of a zero counts" in wide
    assert "in any order" in wide and "in any order" not in plain


def test_laws_become_clauses() -> None:
    law = ContractFacts(kind="Orthonormal", options={"output": "0", "by": "rows"})
    words = contract_words(ContractFacts(kind="Property", parts=(law,)))
    assert "the rows of output 0 are orthonormal" in words


def test_dropout_says_what_holds_for_kept_elements() -> None:
    words = contract_words(ContractFacts(kind="Dropout", parts=(ContractFacts(kind="Close"),)))
    assert "exactly zero" in words and "compared with the exact result" in words


@pytest.mark.parametrize("kind", ["Roughly", "close"])
def test_a_contract_without_words_is_an_error(kind: str) -> None:
    with pytest.raises(BrokenTask, match=kind):
        contract_words(ContractFacts(kind=kind))
