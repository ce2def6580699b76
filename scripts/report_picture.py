"""Makes the picture of a report that the README shows: the overview of the published results.

    python scripts/report_picture.py [FILE.png]

Needs the package playwright and a chromium, or the program named in KBX_BROWSER.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from kernelbenchx.report.published import build_published

ROOT = Path(__file__).resolve().parents[1]
SIZE = (1440, 900)


def main(picture: Path) -> None:
    """The whole page, in light colours."""
    program = os.environ.get("KBX_BROWSER") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = build_published(Path(folder) / "site").page
        # Its own sandbox does not start for root; the page was just written to this disk.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        width, height = SIZE
        opened = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        opened.goto(page.as_uri())
        opened.wait_for_selector("figure svg")
        opened.screenshot(path=picture, full_page=True)
        browser.close()
    print(f"{picture}: {picture.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "report.png")
