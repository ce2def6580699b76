"""Assigns the tables of the analysis to pages."""

from collections.abc import Sequence
from pathlib import Path

from kernelbenchx.analysis import (
    cause_models,
    cause_permutations,
    claims,
    comparison,
    cost,
    disagreements,
    fact_models,
    fact_rates,
    failures,
    hardware,
    iterations,
    levels,
    papers,
    quality,
    rates,
    relabelling,
    run_factors,
    scopes,
    speed,
    standards,
    structure,
    unsolved,
    variance,
)
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.attempt_filter import ALL, AttemptFilter
from kernelbenchx.analysis.table import Table
from kernelbenchx.core.standards import Standard
from kernelbenchx.measure.task_bounds import bounds, gpu_of_runs
from kernelbenchx.report import overview, roofline
from kernelbenchx.report.site_layout import Site
from kernelbenchx.store.sources import read_sources
from kernelbenchx.store.spending import read_spending


def pages(runs: Sequence[Path], attempts: Sequence[Attempt], site: Site) -> dict[str, list[Table]]:
    """By page; a page without a row is left out."""
    rated = rates.tables(attempts, site.frame)
    found = {
        "overview": overview_page(site, rated),
        "claims": claims.tables(attempts),
        "rates": [
            *rated,
            *standards.tables(attempts, site.frame),
            *disagreements.tables(attempts, site.frame),
        ],
        "levels": levels.tables(attempts),
        "papers": papers.tables(attempts, frame=site.frame),
        "scopes": scopes.tables(attempts, site.frame),
        "speed": [*speed.tables(attempts, frame=site.frame), *comparison.tables(attempts)],
        "roofline": roofline.tables(site),
        "rounds": iterations.tables(attempts, site.frame),
        "hardware": hardware.tables(attempts),
        "failures": [
            *failures.tables(attempts),
            *unsolved.tables(attempts, site.frame),
            *cause_permutations.tables(attempts, site.frame),
            *_tabulate_sources(runs, attempts),
        ],
        "variance": [
            *variance.tables(attempts),
            *run_factors.tables(attempts),
            *cause_models.tables(attempts),
            *_by_facts(attempts, site),
            *relabelling.tables(attempts),
        ],
    }
    return {name: tables for name, tables in found.items() if _has_rows(name, tables)}


def _by_facts(attempts: Sequence[Attempt], site: Site) -> list[Table]:
    """What facts of tasks explain, and rates by them; on the GPU with the most attempts."""
    gpu = gpu_of_runs(one.gpu for one in attempts)
    known = bounds(site.tasks, gpu)
    return [
        *fact_models.tables(attempts, bounds=known, gpu=gpu),
        *fact_rates.tables(attempts, bounds=known, gpu=gpu, frame=site.frame),
    ]


def overview_page(site: Site, rated: Sequence[Table]) -> list[Table]:
    """The first page: rates by method and category, how far attempts get, why others fail."""
    shown = [one for one in rated if one.name in ("by_method", "by_category")]
    side_by_side = standards.tables((), site.frame)[:1]
    return [*overview.tables(list(site.frame.last.attempts)), *shown, *side_by_side]


def cost_page(
    runs: Sequence[Path],
    attempts: Sequence[Attempt],
    wanted: AttemptFilter = ALL,
    standard: Standard = Standard.STRICT,
) -> dict[str, list[Table]]:
    """What models took, of attempts as they were read; nothing where none was asked."""
    tables = cost.tables(attempts, read_spending(runs, attempts, wanted, standard))
    return {"cost": tables} if any(one.rows for one in tables) else {}


_DECISIVE = {
    "claims": ("claims",),
    "scopes": ("scopes_by_category",),
    "speed": ("by_method",),
    "papers": ("paper_table_1", "kernelbench_table_1"),
    "rounds": ("rounds", "fast_p_at_k"),
    "hardware": ("hardware_pairs",),
    "variance": ("variance_models",),
}
"""Tables with rows only where there are answers, scopes, times, several rounds or samples, GPUs or
outcomes: else nothing is said."""


def _has_rows(name: str, tables: Sequence[Table]) -> bool:
    asked = _DECISIVE.get(name)
    return any(one.rows for one in tables if asked is None or one.name in asked)


def _tabulate_sources(runs: Sequence[Path], attempts: Sequence[Attempt]) -> list[Table]:
    """How references and submissions are written, and what goes with it."""
    sources = read_sources(runs, quality.choose_digests(attempts))
    return [*structure.tables(attempts), *quality.tables(attempts, sources)]
