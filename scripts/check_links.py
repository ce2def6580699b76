"""Check the links of all documents, without a network: files, folders and anchors exist.

    python scripts/check_links.py [FILE...]

Links inside docs/ must lead to a page; `mkdocs.yml` must list every page once. Exit status 1: a
link is broken.
"""

import re
import sys
import unicodedata
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
UNLISTED = ("decisions/",)
"""Folders whose pages are reached from a page of the menu."""

_FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2`*\s*$", re.M | re.S)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")


def slug(heading: str) -> str:
    """The anchor of a heading, as MkDocs and GitHub make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a page."""
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    found: dict[str, int] = {}
    names = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))
    for heading in re.findall(r"^#{1,6} +(.+?)\s*#*$", text, flags=re.M):
        name = slug(heading)
        count = found.get(name, 0)
        found[name] = count + 1
        names.add(f"{name}_{count}" if count else name)
    return frozenset(names)


def broken(path: Path) -> list[str]:
    """What is wrong with the links of one page."""
    text = _CODE.sub("", _FENCE.sub("", path.read_text(encoding="utf-8")))
    wrong = []
    for link in _LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists():
            wrong.append(f"{link}: no such file")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            wrong.append(f"{link}: no such heading")
    return [f"{path}: {one}" for one in wrong]


def menu() -> list[str]:
    """Pages that the site's menu lacks, names twice, or names without need."""
    listed = re.findall(r"^\s*- (?:.+: )?([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M)
    there = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")}
    expected = {name for name in there if not name.startswith(UNLISTED)}
    twice = {name for name in listed if listed.count(name) > 1}
    return [
        *(f"mkdocs.yml: {name} is not in the menu" for name in sorted(expected - set(listed))),
        *(f"mkdocs.yml: {name} does not exist" for name in sorted({*listed} - there)),
        *(f"mkdocs.yml: {name} is there twice" for name in sorted(twice)),
    ]


def main(names: list[str]) -> int:
    """Print every broken link; 1 if there is one."""
    pages = [Path(name).resolve() for name in names]
    everything = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
    found = [one for path in pages or everything for one in broken(path)]
    found += [] if pages else menu()
    for one in found:
        print(one.replace(f"{ROOT}/", ""))
    print(f"{len(found)} broken links" if found else "all links lead somewhere")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
