"""Whose kernels a table is about."""

import hashlib

from attempts_made import made, wrong
from kernelbenchx.analysis.claims import tables
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.kernel_origins import MOST_NAMED, is_witness, who_wrote, whose_kernels
from kernelbenchx.analysis.published_attempts import attempts as published
from kernelbenchx.catalog.witness import witness_source

GELU = "activation/gelu"
DIGEST = hashlib.sha256(witness_source(GELU).encode()).hexdigest()


def test_one_method_is_named_and_several_are_counted() -> None:
    one, two = made("m/a", method="geak"), made("m/a", method="claude")
    assert who_wrote(frame_of([one])) == "geak"
    assert who_wrote(frame_of([one, two])) == "2 methods"


def test_a_note_counts_the_kernels_of_each_method() -> None:
    given = [made(f"m/{n}", method="geak") for n in range(3)] + [wrong("m/a", method="claude")]
    assert whose_kernels(given) == ("These runs hold kernels of claude (1), geak (3).",)
    many = [made("m/a", method=f"m{n:02d}") for n in range(MOST_NAMED + 2)]
    assert whose_kernels(many)[0].endswith("and 2 more methods.")
    assert whose_kernels([]) == whose_kernels(published()) == ()


def test_witnesses_are_known_by_their_source_and_not_by_a_name() -> None:
    own = made(GELU, method="mine", digest=DIGEST)
    other = made(GELU, method="witness", digest="0" * 64)
    assert is_witness(own) and not is_witness(other)
    assert not is_witness(made("activation/none_such", digest=DIGEST))
    said = whose_kernels([own, other])[1]
    assert said.startswith("1 of 2 are witnesses") and "nothing about models" in said
    assert len(whose_kernels([other])) == 1


def test_the_claims_say_whose_kernels_they_are_about() -> None:
    given = [made(f"m/{n}", method="geak", gpu="card") for n in range(9)]
    (verdicts, _) = tables(given)
    about = {row["subject"] for row in verdicts.records()}
    assert about and all(str(one).startswith("geak, ") for one in about)
    assert verdicts.notes[0] == "These runs hold kernels of geak (9)."
    assert "witness" not in " ".join(verdicts.notes)
