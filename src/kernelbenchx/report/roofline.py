"""The fastest kernel of each task and method against the peaks of its GPU."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kernelbenchx.analysis.attempt import gpu_name
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.report.grid import fastest
from kernelbenchx.report.site_layout import Site, SiteAttempt
from kernelbenchx.store.raw_records import ReachedSpeed, reading

BANDWIDTH = "bandwidth"
NEAR = 0.005
"""How far a peak may be from the one that a share was computed with: both are rounded."""
Peaks = dict[str, dict[str, float]]
"""By GPU and number format, in TFLOP/s; the bandwidth in GB/s."""


def tables(site: Site) -> list[Table]:
    """Points and peaks; none where nothing was timed."""
    points: list[tuple[Value, ...]] = []
    highest: Peaks = defaultdict(dict)
    for run, chosen in _best(site).items():
        with reading(Path(run)) as opened:
            known = _peaks(opened.gpus(list(chosen)))
            places = {one.attempt.gpu for one in chosen.values()}
            peaks = {place: known[gpu_name(place)] for place in places}
            for key, reached in opened.read_speeds(list(chosen)):
                points.append(_point(chosen[key], reached, peaks))
        for gpu, rates in peaks.items():
            own = highest[gpu]
            own.update({rate: max(value, own.get(rate, 0.0)) for rate, value in rates.items()})
    return [_points(points), _limits(highest)] if points else []


def _best(site: Site) -> dict[str, dict[str, SiteAttempt]]:
    """By run and key."""
    found: dict[str, dict[str, SiteAttempt]] = defaultdict(dict)
    for task in site.tasks:
        by_method: dict[tuple[str, str], list[SiteAttempt]] = defaultdict(list)
        for one in site.by_task[task]:
            by_method[one.attempt.method, one.attempt.gpu].append(one)
        for group in by_method.values():
            best = fastest(group)
            if best is not None:
                found[best.attempt.run][best.attempt.key] = best
    return found


def _peaks(gpus: Iterable[str]) -> Peaks:
    """The highest of each format: a GPU may have been probed several times."""
    found: Peaks = defaultdict(dict)
    for text in gpus:
        told = json.loads(text)
        known = found[str(told["name"])]
        for rate, value in (*told["tflops"].items(), (BANDWIDTH, told["bandwidth_gb_per_s"])):
            known[rate] = max(float(value), known.get(rate, 0.0))
    return found


def number_format(tflops: float, mfu: float, peaks: Mapping[str, float]) -> str:
    """The format whose peak a case counts against; empty where it is not known.

    Records hold the share of the peak, not its name: the peak is the rate divided by the share.
    """
    if not mfu or not tflops:
        return ""
    own = tflops / mfu
    known = {rate: peak for rate, peak in peaks.items() if rate != BANDWIDTH and peak}
    # A float32 product may be computed as three products in TF32.
    known["tf32x3"] = peaks.get("tf32", 0.0) / 3
    near = min(known, key=lambda rate: abs(known[rate] / own - 1))
    return near if abs(known[near] / own - 1) <= NEAR else ""


def _point(placed: SiteAttempt, reached: ReachedSpeed, peaks: Peaks) -> tuple[Value, ...]:
    one = placed.attempt
    known = reached.gb_per_s and reached.tflops
    intensity = 1000 * reached.tflops / reached.gb_per_s if known else None
    return (
        one.task,
        one.method,
        reached.case,
        one.gpu,
        number_format(reached.tflops, reached.mfu, peaks.get(one.gpu, {})),
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


def _points(rows: Sequence[tuple[Value, ...]]) -> Table:
    return Table(
        name="roofline",
        title="The fastest kernels against the peaks of the GPU",
        about="One row per timing case of the fastest attempt of each task, method and GPU. "
        "Operations and bytes are those that the task needs at least, not those that a kernel "
        "issues. The interval is that of the case's speedup over eager by device time.",
        columns=columns(
            ("task", "Task"),
            ("method", "Method"),
            ("case", "Case"),
            ("gpu", "GPU"),
            ("format", "Number format"),
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
            "The number format is the one whose peak the operations count against.",
            "The score is the larger of the shares of bandwidth and of arithmetic rate.",
            "Overhead-bound: the GPU works for less time than the host needs to launch.",
        ),
    )


def _limits(peaks: Peaks) -> Table:
    rows = ((gpu, rate, value) for gpu, rates in peaks.items() for rate, value in rates.items())
    return Table(
        name="roofs",
        title="Measured peaks",
        about="Bandwidth in GB/s, arithmetic in TFLOP/s by number format, as measured on the GPU "
        "before anything was timed.",
        columns=columns(("gpu", "GPU"), ("rate", "Rate"), ("value", "Value", "number")),
        rows=tuple(sorted(rows)),
    )
