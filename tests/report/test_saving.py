"""What the report saves: pictures as SVG, tables as CSV and LaTeX, in a real browser."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from browsing import Visit, launched, program, visiting
from report_samples import unpacked

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytest.importorskip("playwright", reason="the package playwright is not installed")
pytestmark = pytest.mark.skipif(
    not program(), reason="no browser here: install chromium or name one in KBX_BROWSER"
)


@pytest.fixture(scope="module", params=["light", "dark"])
def visit(site: Path, request: pytest.FixtureRequest) -> Iterator[Visit]:
    with launched() as browser, visiting(browser, site, theme=request.param) as opened:
        opened.go("#/")
        yield opened


def _saved(visit: Visit, part: "Locator", word: str) -> tuple[str, str]:
    """Name and text of the file that a button saves."""
    with visit.page.expect_download() as waiting:
        part.get_by_role("button", name=re.compile(f"as {word}$")).click()
    path = waiting.value.path()
    return waiting.value.suggested_filename, path.read_text(encoding="utf-8")


def test_every_picture_and_every_table_can_be_saved(visit: Visit) -> None:
    for page in ("", "scopes", "speed", "failures"):
        visit.follow(f"#/{page}")
        for figure in visit.page.locator("figure").all():
            words = figure.locator(".save button").all_inner_texts()
            assert words == ["SVG", "CSV", "LaTeX"], page
        for section in visit.page.locator("section:has(h2):has(.table)").all():
            assert section.locator(".save").count() == 1
    visit.follow("#/tasks")
    assert visit.page.locator(".table .save button").all_inner_texts() == ["CSV", "LaTeX"]


def test_a_picture_stands_on_its_own_in_colours_for_paper(visit: Visit) -> None:
    visit.follow("#/")
    title = visit.page.get_by_role("heading", name="Fastest and slowest tasks")
    figure = visit.page.locator("figure", has=title)
    name, text = _saved(visit, figure, "SVG")
    assert name == "fastest_and_slowest_tasks.svg"
    drawn = ElementTree.fromstring(text)
    texts = {one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"faster than eager", "slower than eager"} <= texts, "with its legend"
    assert "var(--" not in text and "currentColor" not in text and "light-dark" not in text
    assert "rgb(28, 29, 31)" in text and "rgb(231, 231, 228)" not in text, "ink of the light theme"
    assert "<a" not in text and "tabindex" not in text


def test_a_table_is_saved_as_the_analysis_has_it(visit: Visit, site: Path) -> None:
    visit.follow("#/speed")
    tables = unpacked(site / "data" / "pages" / "speed.js")["tables"]
    table = next(one for one in tables if one["name"] == "fast_p")
    part = visit.page.locator(
        "section", has=visit.page.locator("h2", has_text=re.compile("^fast_p$"))
    )
    name, text = _saved(visit, part, "CSV")
    assert name == "fast_p.csv"
    head, *rows = csv.reader(io.StringIO(text))
    keys = [one["key"] for one in table["columns"]]
    # The words that the page asks for are not repeated in each row.
    assert head == [key for key in keys if key not in ("gpu", "baseline", "composition")]
    at = keys.index("share")
    known = {row[at] for row in table["rows"]}
    shares = {float(row[head.index("share")]) for row in rows}
    assert shares <= known, "in full precision"
    assert any(len(str(one)) > 8 for one in shares)


def test_a_table_is_saved_as_latex(visit: Visit) -> None:
    visit.follow("#/speed")
    part = visit.page.locator(
        "section", has=visit.page.locator("h2", has_text=re.compile("^fast_p$"))
    )
    name, text = _saved(visit, part, "LaTeX")
    assert name == "fast_p.tex"
    lines = text.splitlines()
    assert lines[1].startswith(r"\begin{tabular}{l") and lines[2] == r"\toprule"
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    columns = lines[1].split("{")[2].rstrip("}")
    assert body and all(line.count(" & ") == len(columns) - 1 for line in body)
    assert all(line.endswith(r" \\") for line in body)
    assert r"\%" in text and not re.search(r"(?<!\\)[%&_#]", "".join(body).replace(" & ", ""))


def test_an_interval_is_one_column_and_an_empty_one_is_named(visit: Visit) -> None:
    visit.follow("#/leaderboard")
    section = visit.page.locator("section", has=visit.page.locator("h2", has_text="Rates by dtype"))
    if section.get_by_role("button", name=re.compile("^Show the table")).count():
        section.get_by_role("button", name=re.compile("^Show the table")).click()
    heads = [one.partition("↕")[0] for one in section.locator("th").all_text_contents()]
    assert "Interval" in heads and "low" not in [one.lower() for one in heads]
    cell = section.locator(f"tbody tr td:nth-child({heads.index('Interval') + 1})").first
    assert re.fullmatch(r"[\d.]+ to [\d.]+", cell.inner_text())
