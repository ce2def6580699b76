"""A headless browser that notices whatever a page should not do."""

import json
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

NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDE, NARROW = (1200, 900), (390, 800)


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

    def follow(self, address: str) -> None:
        """As a link does: the app stays, the view changes."""
        self.page.evaluate("address => { location.hash = address }", address)
        self.until(f"document.querySelector('main').dataset.address == {json.dumps(address)}")
        self.settled()

    def settled(self) -> None:
        """A heading is there and nothing is being loaded."""
        self.page.wait_for_selector("h1")
        self.until("!document.querySelector('[aria-busy]')")
        self.until("[...document.querySelectorAll('.plot')].every((one) => one.childElementCount)")

    def until(self, condition: str, seconds: float = 20) -> None:
        """Wait for a condition; the page forbids the strings that Playwright would run for it."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(condition):
            assert time.monotonic() < end, condition
            time.sleep(0.01)

    @property
    def heading(self) -> str:
        return self.page.inner_text("h1")

    def links(self) -> set[str]:
        """Where the view leads."""
        found: list[str] = self.page.eval_on_selector_all(
            "a[href], svg a", "all => all.map((a) => a.getAttribute('href') ?? a.href.baseVal)"
        )
        return set(found)


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
