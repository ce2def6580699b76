"""Makes the picture of a report that the README shows, from the run in `examples/runs`.

    python scripts/report_picture.py [FILE.png]

Needs the package playwright and a chromium, or the program named in KBX_BROWSER.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from kernelbenchx.report.build import build

ROOT = Path(__file__).resolve().parents[1]
RUN = ROOT / "examples" / "runs" / "h200_witnesses.sqlite.gz"
VIEW = "#/roofline"
SIZE = (1100, 850)


def main(picture: Path) -> None:
    """The roofline of our own kernels, in light colours."""
    program = os.environ.get("KBX_BROWSER") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = build([RUN], Path(folder) / "site").page
        # Its own sandbox does not start for root; the page is ours and lies on this disk.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        width, height = SIZE
        opened = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        opened.goto(page.as_uri() + VIEW)
        opened.wait_for_selector("figure svg")
        opened.screenshot(path=picture)
        browser.close()
    print(f"{picture}: {picture.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "report.png")
