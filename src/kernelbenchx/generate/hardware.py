"""What a prompt says of a GPU: its data sheet, what terms mean, and what good kernels do."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.templates import fill
from kernelbenchx.measure.spec_sheets import Sheet, sheet_of

SHEET, TERMS, PRACTICES = "sheet", "terms", "practices"
TEMPLATES = {SHEET: "hardware", TERMS: "hardware_terms", PRACTICES: "hardware_practices"}
"""The text of each kind of facts, in the order of a prompt."""
_REGISTERS = 65536
"""Of one multiprocessor; the same on all of these GPUs."""
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
    "NVIDIA L4": Build("8.9", 58, 99),
    "NVIDIA A10G": Build("8.6", 80, 99),
    "Tesla T4": Build("7.5", 40, 64),
    "NVIDIA B200": Build("10.0", 148, 227),
}
"""By the name that torch gives a GPU."""


def find_gpu(name: str) -> str:
    """The one GPU that a name means; `H200` and `rtx 5090` are enough."""
    wanted = name.lower().split()
    exact = [card for card in _BUILDS if _short(card) == _short(name)]
    close = [card for card in _BUILDS if all(word in card.lower() for word in wanted)]
    found = exact or (close if wanted else [])
    if len(found) != 1:
        listed = ", ".join(found or _BUILDS)
        problem = f"{name!r} matches several GPUs" if found else f"unknown GPU {name!r}"
        raise BadInput(f"{problem}: {listed}")
    return found[0]


def facts_named(said: str) -> tuple[str, ...]:
    """Kinds of facts from a list with commas, in the order of a prompt."""
    wanted = [one.strip() for one in said.split(",") if one.strip()]
    for one in wanted:
        if one not in TEMPLATES:
            raise BadInput(f"unknown hardware facts {one!r}; choose from {', '.join(TEMPLATES)}")
    if not wanted:
        raise BadInput(f"--hardware-facts names none; choose from {', '.join(TEMPLATES)}")
    return tuple(one for one in TEMPLATES if one in wanted)


def hardware_words(name: str, kinds: Sequence[str] = (SHEET,)) -> str:
    """What a prompt says of the GPU it names; nothing where none is named."""
    if not name:
        return ""
    card = find_gpu(name)
    words = {
        SHEET: lambda: _sheet(card),
        TERMS: lambda: fill(TEMPLATES[TERMS], card=_add_vendor(card)),
    }
    words[PRACTICES] = lambda: fill(TEMPLATES[PRACTICES], **_limits(card))
    return "\n".join(words[kind]() for kind in kinds)


def _sheet(card: str) -> str:
    sheet = sheet_of(card)
    assert sheet is not None, card
    rates = sheet.tflops
    return fill(
        TEMPLATES[SHEET],
        **_limits(card),
        capability=_BUILDS[card].capability,
        bandwidth=f"{sheet.bandwidth_gb_per_s:g}",
        fp32=f"{rates['fp32']:g}",
        fp64=f"{rates['fp64']:g}",
        dots=", ".join(f"{words} {rates[rate]:g}" for rate, words in _dots(rates) if rate in rates),
        balance=_per_byte(sheet, "fp32"),
        dot_balance=_per_byte(sheet, "fp16"),
    )


def _limits(card: str) -> dict[str, str]:
    build = _BUILDS[card]
    return {
        "card": _add_vendor(card),
        "multiprocessors": str(build.multiprocessors),
        "registers": str(_REGISTERS),
        "shared": str(build.shared_kb),
    }


def _dots(rates: Mapping[str, float]) -> Iterable[tuple[str, str]]:
    """Rates inside of `tl.dot` and what they are called."""
    if "bf16" in rates:
        return _DOTS.items()
    return (_DOTS | {"fp16": "float16"}).items()


def _per_byte(sheet: Sheet, rate: str) -> str:
    """Operations that the GPU does while it moves one byte."""
    return f"{sheet.tflops[rate] * 1000 / sheet.bandwidth_gb_per_s:.0f}"


def _add_vendor(card: str) -> str:
    """With its maker, which torch leaves out for older GPUs."""
    return card if card.startswith("NVIDIA") else f"NVIDIA {card}"


def _short(name: str) -> str:
    words = name.lower().replace("nvidia", "").replace("geforce", "").replace("tesla", "")
    return " ".join(words.split())
