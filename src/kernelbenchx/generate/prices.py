"""What tokens cost: a file of the user's, since prices change and differ between contracts.

["claude-sonnet-*"]     # a shell pattern of models' names; the first that fits counts
input = 3.0             # dollars per million tokens
output = 15.0
cached = 0.3            # tokens of the prompt that the server had kept; as input if not given
"""

import math
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import Record
from kernelbenchx.core.transcript import Usage

MILLION = 1_000_000


class Price(Record, frozen=True, kw_only=True):
    """Dollars per million tokens."""

    input: float
    output: float
    cached: float | None = None

    def __post_init__(self) -> None:
        for price in (self.input, self.output, self.cached):
            if price is not None and not (math.isfinite(price) and price >= 0):
                raise ValueError(f"a price is a number of dollars from 0 up, not {price}")

    def cost(self, usage: Usage) -> float:
        """In dollars."""
        kept = self.input if self.cached is None else self.cached
        fresh = usage.prompt - usage.cached
        spent = fresh * self.input + usage.cached * kept + usage.completion * self.output
        return spent / MILLION

    def most(self, usage: Usage) -> float:
        """In dollars, whatever share of the prompt the server has kept."""
        dearest = max(self.input, self.cached or 0.0)
        return (usage.prompt * dearest + usage.completion * self.output) / MILLION


@dataclass(frozen=True)
class Prices:
    """Patterns of models' names in the order of the file, with their prices."""

    known: tuple[tuple[str, Price], ...] = ()

    def of(self, model: str) -> Price | None:
        """Of the first pattern that fits."""
        return next((price for pattern, price in self.known if fnmatchcase(model, pattern)), None)


def read_prices(path: Path) -> Prices:
    """The file's prices; anything in it that is not understood is an error."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path}: no prices can be read: {error}") from error
    known = []
    for pattern, table in tables.items():
        try:
            known.append((pattern, msgspec.convert(table, Price)))
        except msgspec.ValidationError as error:
            raise BadInput(
                f'{path}: ["{pattern}"] needs input and output, and may have cached, '
                f"in dollars per million tokens: {error}"
            ) from error
    if not known:
        raise BadInput(f"{path}: holds no price")
    return Prices(tuple(known))
