"""The fastest kernel of each task and method against the limits of its card."""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.report.grid import fastest
from kernelbenchx.report.placing import Placed, Site
from kernelbenchx.store.raw import ReachedSpeed, reading


def tables(site: Site) -> list[Table]:
    """Points and roofs; none where nothing was timed."""
    points: list[tuple[Value, ...]] = []
    roofs: set[tuple[str, str, float]] = set()
    for run, chosen in _best(site).items():
        with reading(Path(run)) as opened:
            for key, reached in opened.reached(list(chosen)):
                points.append(_point(chosen[key], reached))
            for card in opened.gpus(list(chosen)):
                roofs |= _roofs(card)
    return [_points(points), _limits(roofs)] if points else []


def _best(site: Site) -> dict[str, dict[str, Placed]]:
    """By run and key."""
    found: dict[str, dict[str, Placed]] = defaultdict(dict)
    for task in site.tasks:
        by_method: dict[tuple[str, str], list[Placed]] = defaultdict(list)
        for one in site.by_task[task]:
            by_method[one.attempt.method, one.attempt.gpu].append(one)
        for group in by_method.values():
            best = fastest(group)
            if best is not None:
                found[best.attempt.run][best.attempt.key] = best
    return found


def _point(placed: Placed, reached: ReachedSpeed) -> tuple[Value, ...]:
    one = placed.attempt
    intensity = 1000 * reached.tflops / reached.gb_per_s if reached.gb_per_s else None
    return (
        one.task,
        one.method,
        reached.case,
        one.gpu,
        intensity,
        reached.tflops,
        reached.gb_per_s,
        reached.score,
        reached.speedup,
        reached.low,
        reached.high,
        reached.overhead_bound,
        placed.address,
    )


def _roofs(card: str) -> set[tuple[str, str, float]]:
    said = json.loads(card)
    name = str(said["name"])
    found = {(name, rate, float(value)) for rate, value in said["tflops"].items()}
    return found | {(name, "bandwidth", float(said["bandwidth_gb_per_s"]))}


def _points(rows: Sequence[tuple[Value, ...]]) -> Table:
    return Table(
        name="roofline",
        title="The fastest kernels against the limits of the card",
        about="One row per timing case of the fastest attempt of each task, method and card. "
        "Operations and bytes are those that the task needs at least, not those that a kernel "
        "issues. The interval is that of the case's speedup over eager by device time.",
        columns=columns(
            ("task", "Task"),
            ("method", "Method"),
            ("case", "Case"),
            ("card", "Card"),
            ("intensity", "Operations per byte", "number"),
            ("tflops", "TFLOP/s", "number"),
            ("gb_per_s", "GB/s", "number"),
            ("score", "Score", "number"),
            ("speedup", "Over eager", "ratio"),
            ("low", "Low", "ratio"),
            ("high", "High", "ratio"),
            ("overhead_bound", "Overhead-bound"),
            ("id", "Key"),
        ),
        rows=tuple(sorted(rows, key=str)),
        notes=(
            "The score is the larger of the shares of bandwidth and of arithmetic rate.",
            "Overhead-bound: the card works for less time than the host needs to launch.",
        ),
    )


def _limits(roofs: set[tuple[str, str, float]]) -> Table:
    return Table(
        name="roofs",
        title="Measured limits of the cards",
        about="Bandwidth in GB/s, arithmetic in TFLOP/s by number format, as measured on the card "
        "before anything was timed.",
        columns=columns(("card", "Card"), ("rate", "Rate"), ("value", "Value", "number")),
        rows=tuple(sorted(roofs)),
    )
