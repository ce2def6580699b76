"""What `kbx certify --stability` prints."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.stability.running import Stability

F = TypeVar("F", bound=Callable[..., Any])
SEEDS = 5
"""How many seeds are tried where the command does not say."""
MOST_DEVIATING = 0.01
"""So large a share of pairs of kernel and seed may differ from the majority."""
_TOLD_EVERY_S = 10.0


@dataclass(frozen=True)
class StabilityOptions:
    """What the options of this measurement say."""

    kernels: tuple[Path, ...]
    sample: int | None
    out: Path
    compile: bool


def stability_options(command: F) -> F:
    """`--stability` and the options that need it."""
    options = (
        click.option(
            "--stability",
            is_flag=True,
            help="Compare the verdicts that kernels get under several seeds; certifies nothing.",
        ),
        click.option(
            "--kernels",
            multiple=True,
            type=NamedPath(path_type=Path),
            help="With --stability: also the kernels of a file, a folder or a data set.",
        ),
        click.option(
            "--sample",
            type=click.IntRange(1),
            help="With --stability: only so many kernels, always the same ones.",
        ),
        click.option(
            "--out",
            type=NamedPath(path_type=Path),
            default=Path("stability.sqlite"),
            show_default=True,
            help="With --stability: keeps verdicts; the same command again judges the rest.",
        ),
        click.option(
            "--no-compile",
            is_flag=True,
            help="With --stability: do not also compile the kernels.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def take_stability(options: dict[str, Any]) -> StabilityOptions | None:
    """Takes these options out of all; None without `--stability`."""
    asked = options.pop("stability")
    found = StabilityOptions(
        kernels=options.pop("kernels"),
        sample=options.pop("sample"),
        out=options.pop("out"),
        compile=not options.pop("no_compile"),
    )
    if not asked and (found.kernels or found.sample is not None or not found.compile):
        raise BadInput("--kernels, --sample and --no-compile need --stability")
    return found if asked else None


def print_stability(
    names: Sequence[str],
    asked: StabilityOptions,
    seeds: int | None,
    settings: "Settings",
    *,
    as_json: bool,
) -> int:
    """Judge kernels under the seeds from 1 on; exit code 1 if too many verdicts differ."""
    # Imported late: torch takes a second to load, and a misspelt name is an error before that.
    from kernelbenchx.evaluator import Evaluator
    from kernelbenchx.stability.kernels import draw_kernels, read_kernels, shipped_kernels
    from kernelbenchx.stability.running import judge_under_seeds
    from kernelbenchx.stability.verdicts import open_verdicts

    kernels = [*shipped_kernels(names), *read_kernels(asked.kernels)]
    kernels = kernels if asked.sample is None else draw_kernels(kernels, asked.sample)
    if not kernels:
        raise BadInput("no kernels: these tasks have none, and no file was given")
    wanted = msgspec.structs.replace(settings, compile=asked.compile)
    tried = range(1, (seeds or SEEDS) + 1)
    with open_verdicts(asked.out) as verdicts, Evaluator(wanted) as evaluator:
        found = judge_under_seeds(kernels, tried, evaluator, verdicts, _Teller(quiet=as_json))
    document = _document(found)
    if as_json:
        print_json(document)
    else:
        _show(document)
    return 0 if document["share"] <= MOST_DEVIATING else 1


class _Teller:
    """Says now and then how many pairs are finished."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet, self._told = quiet, 0.0

    def __call__(self, done: int, total: int) -> None:
        """After each pair."""
        now = time.monotonic()
        if not self._quiet and (now - self._told > _TOLD_EVERY_S or done == total):
            print(f"  {done} of {total} pairs", file=sys.stderr, flush=True)
            self._told = now


def _document(found: "Sequence[Stability]") -> dict[str, Any]:
    from kernelbenchx.stability.running import deviating_share

    kinds = dict.fromkeys(one.kernel.kind for one in found)
    by_kind = {kind: [one for one in found if one.kernel.kind is kind] for kind in kinds}
    return {
        "kernels": len(found),
        "pairs": sum(len(one.verdicts) for one in found),
        "share": deviating_share(found),
        "kinds": {
            kind.value: {
                "kernels": len(some),
                "pairs": sum(len(one.verdicts) for one in some),
                "deviating": sum(len(one.deviating) for one in some),
            }
            for kind, some in by_kind.items()
        },
        "deviating": [_plain(one) for one in found if one.deviating],
        "living_near_misses": [_plain(one) for one in found if one.lives_under],
        "wrong_witnesses": [
            _plain(one)
            for one in found
            if one.kernel.kind == "witness"
            and any(not verdict.startswith("correct") for verdict in one.verdicts.values())
        ],
    }


def _plain(one: "Stability") -> dict[str, Any]:
    return {
        "kind": one.kernel.kind.value,
        "task": one.kernel.submission.task,
        "kernel": one.kernel.submission.name,
        "majority": one.majority,
        "verdicts": {str(seed): verdict for seed, verdict in one.verdicts.items()},
    }


def _show(document: dict[str, Any]) -> None:
    from rich.table import Table

    shown = console()
    table = Table()
    for column in ("kind", "kernels", "pairs", "differ", "share"):
        table.add_column(column)
    for kind, some in document["kinds"].items():
        share = some["deviating"] / some["pairs"] if some["pairs"] else 0.0
        row = (some["kernels"], some["pairs"], some["deviating"])
        table.add_row(kind, *map(str, row), f"{share:.2%}")
    shown.print(table)
    _list(f"verdicts that differ from the majority, {document['share']:.2%} of all pairs",
          document["deviating"])  # fmt: skip
    _list("near misses that live under a seed", document["living_near_misses"])
    _list("witnesses that fail under a seed", document["wrong_witnesses"])


def _list(title: str, some: Sequence[dict[str, Any]]) -> None:
    print(f"{title}: {len(some) or 'none'}")
    for one in some:
        print(f"  {one['task']}, {one['kind']}: {one['kernel']}")
        for verdict in dict.fromkeys(one["verdicts"].values()):
            seeds = [seed for seed, other in one["verdicts"].items() if other == verdict]
            print(f"    {verdict}: {'seed' if len(seeds) == 1 else 'seeds'} {', '.join(seeds)}")
