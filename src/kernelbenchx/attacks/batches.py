"""Which attacks are tried together, and which controls are tried at all."""

from collections.abc import Iterator, Sequence

from kernelbenchx.attacks.attack import Attack, Control
from kernelbenchx.core.settings import Settings

BATCH = 8
"""How many attacks are tried before the next canaries."""


def contains(level: str, attack: Attack) -> bool:
    """Whether its file says that this level stops it."""
    return attack.level <= level


def batches(attacks: Sequence[Attack], device: str, level: str) -> Iterator[list[Attack]]:
    """Those for this device. One above the level may well disturb the canaries: it is alone."""
    batch: list[Attack] = []
    for attack in attacks:
        if attack.device not in ("any", device):
            continue
        if len(batch) == BATCH or not contains(level, attack):
            yield batch
            batch = []
        if contains(level, attack):
            batch.append(attack)
        else:
            yield [attack]
    yield batch


def tried_controls(controls: Sequence[Control], settings: Settings) -> list[Control]:
    """Those for this device that the source checks let in."""
    here = ("any", settings.device)
    return [
        one for one in controls if one.device in here and not (one.unchecked and settings.checks)
    ]
