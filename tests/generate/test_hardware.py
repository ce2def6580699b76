"""Facts of cards in words."""

import re

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.hardware import (
    _BUILDS,
    TEMPLATES,
    facts_named,
    find_gpu,
    hardware_words,
)
from kernelbenchx.measure.spec_sheets import sheet_of
from kernelbenchx.worker.targets import TARGETS


def test_facts_come_from_the_data_sheet() -> None:
    words = hardware_words("H200")
    sheet = sheet_of("NVIDIA H200")
    assert sheet is not None
    assert f"memory bandwidth {sheet.bandwidth_gb_per_s:g} GB/s" in words
    assert f"TF32 {sheet.tflops['tf32']:g}" in words
    assert "132 multiprocessors" in words
    assert words.endswith("\n") and "$" not in words


@pytest.mark.parametrize("card", _BUILDS)
def test_every_card_has_a_sheet_and_every_sheet_gives_words(card: str) -> None:
    assert sheet_of(card) is not None
    assert card in hardware_words(card)


@pytest.mark.parametrize(
    ("target", "card"),
    [("sm_80", "NVIDIA A100-SXM4-80GB"), ("sm_89", "NVIDIA L40S"), ("sm_90", "NVIDIA H200"),
     ("sm_100", "NVIDIA B200")],
)  # fmt: skip
def test_facts_agree_with_what_kernels_are_compiled_for(target: str, card: str) -> None:
    limits, words = TARGETS[target], hardware_words(card)
    assert f"{limits.multiprocessors} multiprocessors" in words
    assert f"up to {limits.max_shared_bytes // 1024} KB of shared memory" in words
    assert ".".join(map(str, limits.capability)) in words


@pytest.mark.parametrize(
    ("said", "card"),
    [
        ("h200", "NVIDIA H200"),
        ("NVIDIA H200 NVL", "NVIDIA H200 NVL"),
        ("rtx 5090", "NVIDIA GeForce RTX 5090"),
        ("5090", "NVIDIA GeForce RTX 5090"),
        ("a100 80gb pcie", "NVIDIA A100 80GB PCIe"),
    ],
)
def test_a_short_name_is_enough(said: str, card: str) -> None:
    assert find_gpu(said) == card


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("A100", "several GPUs: NVIDIA A100-PCIE-40GB"),
        ("H300", "unknown GPU"),
        (" ", "unknown GPU"),
    ],
)
def test_a_name_of_several_or_none_is_refused(said: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        find_gpu(said)


PAPER = ("H100 80GB HBM3", "A100-SXM4-80GB", "L40S", "L4", "A10G", "T4")
"""The six GPUs of KernelBench's hardware experiments."""


@pytest.mark.parametrize("name", PAPER)
def test_every_gpu_of_the_paper_has_all_kinds_of_facts(name: str) -> None:
    sheet, terms, practices = (hardware_words(name, (kind,)) for kind in TEMPLATES)
    assert f"an NVIDIA {name}" in sheet.replace("Tesla ", "")
    assert "- occupancy" not in sheet and "its occupancy" in terms
    assert "TFLOP/s" in sheet and "TFLOP/s" not in terms + practices
    assert re.search(r"Launch at least \d+ programs", practices)
    assert hardware_words(name, tuple(TEMPLATES)) == "\n".join([sheet, terms, practices])


def test_what_a_gpu_cannot_do_is_not_said_of_it() -> None:
    assert "float16 65, int8 130" in hardware_words("T4")
    assert "bfloat16" not in hardware_words("T4") and "TF32" not in hardware_words("T4")
    assert "TF32 35, float16 and bfloat16 70" in hardware_words("A10G")


@pytest.mark.parametrize(
    ("said", "kinds"),
    [("terms", ("terms",)), ("practices, sheet", ("sheet", "practices"))],
)
def test_kinds_of_facts_are_named_in_any_order(said: str, kinds: tuple[str, ...]) -> None:
    assert facts_named(said) == kinds


@pytest.mark.parametrize("said", ["", ",", "price", "sheet,price"])
def test_facts_that_do_not_exist_are_refused(said: str) -> None:
    with pytest.raises(BadInput, match="choose from sheet, terms, practices"):
        facts_named(said)


def test_no_card_has_no_words() -> None:
    assert hardware_words("") == ""
