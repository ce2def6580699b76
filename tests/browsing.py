"""A headless browser that notices whatever a page should not do."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_SETTLED = """async ([address, limit, unwanted]) => {
  if (address) location.hash = address;
  const end = performance.now() + limit;
  const there = () =>
    document.querySelector("h1") &&
    document.querySelector("main").dataset.address === location.hash &&
    !document.querySelector("[aria-busy]") &&
    [...document.querySelectorAll(".plot")].every((one) => one.childElementCount);
  while (!there()) {
    if (performance.now() > end) return false;
    await new Promise((done) => setTimeout(done, 4));
  }
  const links = [...document.querySelectorAll("a[href], svg a")];
  const leads = links.map((a) => a.getAttribute("href") ?? a.href.baseVal);
  const wrong = unwanted ? document.querySelectorAll(unwanted).length : 0;
  return [document.querySelector("h1").innerText, leads, wrong];
}"""
NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDE, NARROW = (1440, 900), (390, 800)


def program() -> str:
    """The browser of this machine, or nothing."""
    named = os.environ.get("KBX_BROWSER", "")
    return named or next((path for name in NAMES if (path := shutil.which(name))), "")


@contextmanager
def launched() -> Iterator["Browser"]:
    """A fresh browser; tests may run as root, where Chromium's own sandbox does not start."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program(), headless=True, args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page of a site on disk, and all it did that it should not."""

    page: "Page"
    site: Path
    troubles: list[str] = field(default_factory=list)

    def go(self, address: str = "#/") -> None:
        """Open a view as if its address had been typed, and wait until it is drawn."""
        self.page.goto("about:blank")
        self.page.goto((self.site / "index.html").as_uri() + address)
        self.settled()

    def follow(self, address: str, unwanted: str = "") -> tuple[str, set[str]]:
        """As a link does: the app stays, the view changes. The heading, and where it leads.

        Nothing that is unwanted, as a selector, is there.
        """
        return self._asked(address, unwanted)

    def settled(self) -> None:
        """The view of the address is drawn, also after a key or a click changed the address."""
        self._asked("")

    def _asked(self, address: str, unwanted: str = "") -> tuple[str, set[str]]:
        """One question to the page, which watches itself: many small ones take most of the time."""
        found = self.page.evaluate(_SETTLED, [address, 60_000, unwanted])
        assert found, f"{address} does not settle"
        heading, links, wrong = found
        assert not wrong, f"{address} holds {unwanted}"
        return heading, set(links)

    def until(self, condition: str, seconds: float = 60) -> None:
        """Wait for a condition; the page forbids the strings that Playwright would run for it."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(condition):
            assert time.monotonic() < end, condition
            time.sleep(0.01)

    @property
    def heading(self) -> str:
        return self.page.inner_text("h1")


@contextmanager
def visiting(
    browser: "Browser", site: Path, *, theme: str = "light", size: tuple[int, int] = WIDE
) -> Iterator[Visit]:
    """Fails at the end if the page spoke to anybody, erred or asked for what is not there."""
    context = browser.new_context(
        color_scheme="dark" if theme == "dark" else "light",
        viewport={"width": size[0], "height": size[1]},
    )
    page = context.new_page()
    visit = Visit(page, site)
    page.on("pageerror", lambda error: visit.troubles.append(f"error: {error}"))
    page.on(
        "console",
        lambda said: (
            visit.troubles.append(f"{said.type}: {said.text}")
            if said.type in ("error", "warning")
            else None
        ),
    )
    page.on("requestfailed", lambda asked: visit.troubles.append(f"failed: {asked.url}"))
    page.on("dialog", lambda dialog: visit.troubles.append(f"dialog: {dialog.message}"))
    page.on(
        "request",
        lambda asked: (
            visit.troubles.append(f"asked for {asked.url}")
            if not asked.url.startswith((site.as_uri(), "data:", "about:"))
            else None
        ),
    )
    yield visit
    context.close()
    assert visit.troubles == []


def checked_figures(visit: Visit) -> int:
    """How many pictures the view has; each says n and interval, is walked, has a table."""
    figures = visit.page.locator("figure")
    for figure in figures.all():
        says = figure.locator(".says").inner_text()
        assert "n = " in says and "interval" in says, says
        marks = figure.locator("svg [tabindex='0']")
        assert marks.count() == 1, "a picture is one stop of the Tab key"
        marks.focus()
        assert figure.locator(".readout").inner_text() != ""
        figure.get_by_role("button", name="Show the table").press("Enter")
        assert figure.locator("tbody tr").count() > 0
    return figures.count()
