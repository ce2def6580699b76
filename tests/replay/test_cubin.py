import pytest

from kernelbenchx.replay.cubin import BadCubin, kernels_in
from replay_samples import elf


def test_functions_are_found_by_name() -> None:
    assert kernels_in(elf("_one", "_other")) == {"_one", "_other"}


def test_what_is_declared_elsewhere_or_is_no_function_does_not_count() -> None:
    assert kernels_in(elf("_one", section=0)) == set()
    assert kernels_in(elf("_one", kind=1)) == set()


def test_a_binary_of_another_machine_is_refused() -> None:
    with pytest.raises(BadCubin, match="not a binary for CUDA"):
        kernels_in(elf("_one", machine=62))


def test_a_binary_with_variables_of_its_own_is_refused() -> None:
    with pytest.raises(BadCubin, match="keeps memory between calls"):
        kernels_in(elf("_one", own_memory=4))


@pytest.mark.parametrize("binary", [b"", b"\x7fELF\x02\x01" + bytes(58), b"#!/bin/sh\n" * 20])
def test_other_bytes_are_refused(binary: bytes) -> None:
    with pytest.raises(BadCubin):
        kernels_in(binary)


def test_no_cut_or_flipped_byte_does_more_than_be_refused() -> None:
    whole = elf("_one")
    for place in range(len(whole)):
        for broken in (whole[:place], whole[:place] + b"\xff" + whole[place + 1 :]):
            try:
                kernels_in(broken)
            except BadCubin:
                continue
