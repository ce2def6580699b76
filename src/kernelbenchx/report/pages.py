"""Which tables of the analysis stand on which page."""

from collections.abc import Sequence

from kernelbenchx.analysis import failures, hardware, iterations, rates, speed, variance
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.table import Table
from kernelbenchx.report import roofline
from kernelbenchx.report.placing import Site


def pages(attempts: Sequence[Attempt], site: Site) -> dict[str, list[Table]]:
    """By page; a page without a row is left out."""
    found = {
        "rates": rates.tables(attempts),
        "speed": speed.tables(attempts),
        "roofline": roofline.tables(site),
        "rounds": iterations.tables(attempts),
        "hardware": hardware.tables(attempts),
        "failures": failures.tables(attempts),
        "variance": variance.tables(attempts),
    }
    return {name: tables for name, tables in found.items() if any(one.rows for one in tables)}
