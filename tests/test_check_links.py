"""The check of links: broken files, broken anchors, and the menu of the site."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from script_files import script

LINKS = script("check_links")


def test_all_documents_pass() -> None:
    assert LINKS.main([]) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a](gone.md)", "gone.md: no such file"),
        ("[a](other.md#gone)", "other.md#gone: no such heading"),
        ("# Here\n\n[a](#there)", "#there: no such heading"),
    ],
)
def test_a_broken_link_is_found(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "other.md").write_text("# Other page\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert LINKS.broken(page) == [f"{page}: {said}"]


@pytest.mark.parametrize(
    "text",
    [
        "[a](other.md)",
        "[a](other.md#other-page-2)",
        "[a](https://example.org/gone)",
        "`[a](gone.md)`",
        "```\n[a](gone.md)\n```",
        "# `kbx eval`: Here\n\n[a](#kbx-eval-here)",
    ],
)
def test_links_that_lead_somewhere_pass(tmp_path: Path, text: str) -> None:
    (tmp_path / "other.md").write_text("# Other page\n\n## Other page, 2\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert LINKS.broken(page) == []


@pytest.mark.parametrize(
    ("text", "url", "made"),
    [
        ("[a](../numerics.md#b)", "", "[a](../numerics.md#b)"),
        ("[a](../../src/x.py)", "", "a (`src/x.py`)"),
        ("[src/x.py](../../src/x.py)", "", "`src/x.py`"),
        (
            "[a](../../x.md#b)",
            "https://git.example/p",
            "[a](https://git.example/p/blob/main/x.md#b)",
        ),
    ],
)
def test_links_out_of_the_site_become_text_or_lead_to_the_repository(
    text: str, url: str, made: str
) -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="how-to/page.md"))
    hooks = script("mkdocs_hooks")
    assert hooks.on_page_markdown(text, page=page, config={"repo_url": url}) == made
