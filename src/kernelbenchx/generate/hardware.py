"""Facts of a target card in words, from its maker's data sheet."""

from dataclasses import dataclass

from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.templates import fill
from kernelbenchx.measure.spec_sheets import Sheet, sheet_of

TEMPLATE = "hardware"
_REGISTERS = 65536
"""Of one multiprocessor; the same on all of these cards."""
_DOTS = {
    "tf32": "TF32",
    "fp16": "float16 and bfloat16",
    "fp8": "float8",
    "int8": "int8",
}


@dataclass(frozen=True)
class Build:
    """What a kernel can count on, beside rates."""

    capability: str
    multiprocessors: int
    shared_kb: int
    """What one block can ask for."""


_AMPERE = Build("8.0", 108, 163)
_BUILDS = {
    "NVIDIA GeForce RTX 4090": Build("8.9", 128, 99),
    "NVIDIA GeForce RTX 5090": Build("12.0", 170, 99),
    "NVIDIA A100-PCIE-40GB": _AMPERE,
    "NVIDIA A100-SXM4-40GB": _AMPERE,
    "NVIDIA A100 80GB PCIe": _AMPERE,
    "NVIDIA A100-SXM4-80GB": _AMPERE,
    "NVIDIA H100 PCIe": Build("9.0", 114, 227),
    "NVIDIA H100 80GB HBM3": Build("9.0", 132, 227),
    "NVIDIA H100 NVL": Build("9.0", 132, 227),
    "NVIDIA H200": Build("9.0", 132, 227),
    "NVIDIA H200 NVL": Build("9.0", 132, 227),
    "NVIDIA H20": Build("9.0", 78, 227),
    "NVIDIA H800 PCIe": Build("9.0", 114, 227),
    "NVIDIA H800": Build("9.0", 132, 227),
    "NVIDIA L20": Build("8.9", 92, 99),
    "NVIDIA L40S": Build("8.9", 142, 99),
    "NVIDIA B200": Build("10.0", 148, 227),
}
"""By the name that torch gives a card."""


def cards() -> tuple[str, ...]:
    """The cards whose facts are known, by the names that torch gives them."""
    return tuple(_BUILDS)


def card_named(name: str) -> str:
    """The one card that is meant; `H200` and `rtx 5090` are enough."""
    wanted = name.lower().split()
    exact = [card for card in _BUILDS if _short(card) == _short(name)]
    close = [card for card in _BUILDS if all(word in card.lower() for word in wanted)]
    found = exact or (close if wanted else [])
    if len(found) != 1:
        listed = ", ".join(found or _BUILDS)
        problem = f"{name!r} matches several GPUs" if found else f"unknown GPU {name!r}"
        raise BadInput(f"{problem}: {listed}")
    return found[0]


def hardware_words(name: str) -> str:
    """What a prompt says of the card it names; nothing where no card is named."""
    if not name:
        return ""
    card = card_named(name)
    build, sheet = _BUILDS[card], sheet_of(card)
    assert sheet is not None, card
    rates = sheet.tflops
    return fill(
        TEMPLATE,
        card=card,
        capability=build.capability,
        multiprocessors=str(build.multiprocessors),
        registers=str(_REGISTERS),
        shared=str(build.shared_kb),
        bandwidth=f"{sheet.bandwidth_gb_per_s:g}",
        fp32=f"{rates['fp32']:g}",
        fp64=f"{rates['fp64']:g}",
        dots=", ".join(
            f"{words} {rates[rate]:g}" for rate, words in _DOTS.items() if rate in rates
        ),
        balance=_per_byte(sheet, "fp32"),
        dot_balance=_per_byte(sheet, "fp16"),
    )


def _per_byte(sheet: Sheet, rate: str) -> str:
    """Operations that the card does while it moves one byte."""
    return f"{sheet.tflops[rate] * 1000 / sheet.bandwidth_gb_per_s:.0f}"


def _short(name: str) -> str:
    words = name.lower().replace("nvidia", "").replace("geforce", "")
    return " ".join(words.split())
