"""A report of the results that the KernelBench-X paper prints: its map of category by method.

The paper counts kernels by category and method and names no task. So there are no pages of tasks
or submissions, and nothing that compares methods task by task.
"""

from pathlib import Path

from kernelbenchx.analysis import claims, published, published_kernelbench, rates
from kernelbenchx.analysis.published_data import METHODS, MODELS, TASKS
from kernelbenchx.analysis.table import Table, columns
from kernelbenchx.report.build import Counts, SiteSummary, write_pages, write_site
from kernelbenchx.report.index import index
from kernelbenchx.report.labels import label_attempts
from kernelbenchx.report.packing import encode_document, write
from kernelbenchx.report.pages import overview_page
from kernelbenchx.report.site_layout import place

WORD = "published"
"""In place of a run on the command line."""
PAPER = "arXiv 2605.04956"
_COUNTED = ("by_method", "by_category")
"""Rates that follow from counts alone, whichever tasks a method solved."""


def build_published(out: Path) -> SiteSummary:
    """Write the report of the paper's tables."""
    return write_site(out, _write)


def _write(out: Path) -> Counts:
    attempts = label_attempts(published.attempts())
    site, data = place(attempts), out / "data"
    counted = [one for one in rates.tables(attempts, site.frame) if one.name in _COUNTED]
    found = {
        "overview": overview_page(site, counted),
        "rates": counted,
        "claims": claims.tables([], published=True),
        "published": [*published.tables(), *published_kernelbench.tables()],
    }
    write_pages(data, found)
    whole = index([_source(), _methods()], attempts, site, found)
    # Tasks of a category are exchangeable here: none of them is a page.
    whole |= {"published": True, "study": True, "tasks": [], "cells": []}
    write(data, "index", encode_document(whole))
    return len(attempts), sum(TASKS.values()), len(site.methods), 1 + len(found)


def _source() -> Table:
    return Table(
        name="source",
        title="Where the numbers come from",
        about="The tables of the paper, as kernelbenchx keeps them. Percentages are turned back "
        "into counts of kernels. Intervals are computed here; the paper prints none.",
        columns=columns(("what", "What"), ("where", "Printed in")),
        rows=(
            ("Correct kernels by category and method", f"{PAPER}, Table 3"),
            ("Compiled kernels by category and method", f"{PAPER}, Table 4"),
            ("Totals, speedups and scores by method", f"{PAPER}, Table 1"),
        ),
        notes=(
            "Which tasks a method solved is not printed, only how many of each category.",
            "Where the sums of Tables 3 and 4 differ from Table 1, this report has the sums; the "
            "page of the paper's tables shows both.",
            "Compiled means that every call of the paper's test ended.",
        ),
    )


def _methods() -> Table:
    return Table(
        name="methods",
        title="Methods",
        about="The base model, where the paper names one.",
        columns=columns(("method", "Method"), ("model", "Base model")),
        rows=tuple((method, MODELS.get(method)) for method in METHODS),
        notes=("KernelLLM in the tables is called DeepSeek-Coder in the text of the paper.",),
    )
