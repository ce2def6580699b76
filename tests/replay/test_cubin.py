from typing import Any

import pytest

from kernelbenchx.replay.cubin import BadCubin, kernels_in
from ptx_samples import COUNTS, NOTHING, READS, assembled
from replay_samples import elf


def test_functions_are_found_by_name() -> None:
    assert kernels_in(elf("_one", "_other")) == {"_one", "_other"}


def test_what_is_declared_elsewhere_or_is_no_function_does_not_count() -> None:
    assert kernels_in(elf("_one", section=0)) == set()
    assert kernels_in(elf("_one", kind=1)) == set()


def test_a_binary_of_another_machine_is_refused() -> None:
    with pytest.raises(BadCubin, match="not a binary for CUDA"):
        kernels_in(elf("_one", machine=62))


@pytest.mark.parametrize(
    "more",
    [
        {"own": ".nv.global"},
        {"own": ".nv.global.more"},
        {"own": ".nv.global.init.more"},
        {"own": ".nv.merc.nv.global.init"},
        {"own": ".data", "flags": 3},
        {"section": 0xFFF2},
    ],
)
def test_a_binary_that_keeps_memory_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(BadCubin, match="keeps memory between calls"):
        kernels_in(elf("_one", **more))


@pytest.mark.parametrize(
    ("own", "flags"),
    [(".nv.shared._one", 3), (".nv.constant4", 2), (".nv.merc.nv.shared.reserved.0", 0x10000003)],
)
def test_memory_that_ends_with_a_launch_is_not_kept(own: str, flags: int) -> None:
    assert kernels_in(elf("_one", own=own, flags=flags)) == {"_one"}


def test_a_variable_without_a_first_value_is_refused() -> None:
    with pytest.raises(BadCubin, match="keeps memory between calls"):
        kernels_in(assembled(".global .align 4 .u32 state;", COUNTS))


@pytest.mark.parametrize(
    ("variables", "body"),
    [
        ("", NOTHING),
        (".global .align 4 .u32 state = 7;", COUNTS),
        (".global .align 4 .u32 state[2] = {7, 8};", READS),
        (".global .align 4 .u32 state = 7;", NOTHING),
        (".const .align 4 .u32 table[2] = {7, 8};", "ld.const.u32 %r1, [table];"),
        (".shared .align 4 .u32 room;", "ld.shared.u32 %r1, [room];"),
    ],
)
def test_a_variable_that_can_be_made_new_is_not_refused(variables: str, body: str) -> None:
    assert kernels_in(assembled(variables, body)) == {"kernel"}


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
