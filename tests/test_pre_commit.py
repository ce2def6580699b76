"""Hooks before a commit run what `make check` runs."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _steps(makefile: str) -> dict[str, str]:
    """The steps of `make check` by name."""
    recipe = makefile.partition("\ncheck: ")[2].partition("\n\n")[0]
    return dict(re.findall(r'^\t@echo "== (\w+)"; \$\(BIN\)/(.+)$', recipe, flags=re.M))


def _hooks(configuration: str) -> dict[str, str]:
    return dict(
        re.findall(r"id: (\w+)\n +name: .+\n +entry: \.venv/bin/(.+)$", configuration, re.M)
    )


def test_every_step_of_make_check_is_a_hook_with_the_same_command() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    configuration = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    steps = _steps(makefile)
    assert len(steps) == 9 and _hooks(configuration) == steps
    assert _hooks(configuration.replace("ruff check .", "ruff check src")) != steps


def test_hooks_fetch_nothing() -> None:
    configuration = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"- repo: (.+)", configuration) == ["local"]
    kinds = re.findall(r"language: (.+)", configuration)
    assert set(kinds) == {"system"} and len(kinds) == configuration.count("- id: ")
