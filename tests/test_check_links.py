"""The check of links: broken files, broken anchors, and the menu of the site."""

from pathlib import Path

import pytest

from test_check_words import script

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
