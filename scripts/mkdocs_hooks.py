"""Hooks of MkDocs: links to files outside docs/ become plain text, unless a repository is named.

`repo_url` in mkdocs.yml turns them into links to that repository instead.
"""

import os
import re
from pathlib import PurePosixPath
from typing import Any

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+[^)\s]*)\)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Rewrite the links of one page that leave docs/."""
    here = PurePosixPath("docs") / PurePosixPath(page.file.src_uri).parent

    def link(found: re.Match[str]) -> str:
        name, _, anchor = found[2].partition("#")
        target = os.path.normpath(here / name)
        if target.startswith("docs/") or target == "docs":
            return found[0]
        if not config.get("repo_url"):
            return f"`{target}`" if found[1] == target else f"{found[1]} (`{target}`)"
        url = f"{config['repo_url'].rstrip('/')}/blob/main/{target}"
        return f"[{found[1]}]({url}{'#' + anchor if anchor else ''})"

    return _LINK.sub(link, markdown)
