"""The commands of documents are found, told apart and run; a command that fails is noticed."""

from pathlib import Path

import pytest

from script_files import script
from scripted_models import server

ROOT = Path(__file__).resolve().parents[1]
PRINTED = (ROOT / "benchmarks" / "docs_commands.txt").read_text("utf-8")
PAGE = """# Page

```sh
kbx tasks            # a comment
export OPENAI_API_KEY=...
kbx generate --model openai:m --base-url https://api.example.com/v1 --tasks gelu --out runs/x
```

    kbx eval a.py --stage perf --out runs/timed
    a line of something else

```console
$ kbx show relu
# relu
```

```python
kbx = 1
```

```text
Usage: kbx query [OPTIONS]

  kbx query runs/demo "select a from b
      group by c"

Options:
```
"""


def test_commands_are_found_where_pages_have_them() -> None:
    found = script("docs_commands").commands_in(PAGE, "page.md")
    assert [(one.line, one.text) for one in found] == [
        (4, "kbx tasks"),
        (5, "export OPENAI_API_KEY=..."),
        (6, PAGE.splitlines()[5]),
        (9, "kbx eval a.py --stage perf --out runs/timed"),
        (13, "kbx show relu"),
        (24, 'kbx query runs/demo "select a from b group by c"'),
    ]
    assert [one.needs.name for one in found] == [
        "NOTHING", "NOTHING", "MODEL", "GPU", "NOTHING", "NOTHING",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("pip install torch", "NETWORK"),
        ("vllm serve x --port 8000", "SOFTWARE"),
        ("kbx eval real_kernels.jsonl", "DATA"),
        ("RAY_AUTH_MODE=token ray start --address=HEAD:6379", "CLUSTER"),
        ("export RAY_AUTH_MODE=token", "CLUSTER"),
        ("chmod 600 ~/.ray/auth_token", "CLUSTER"),
        ("kubectl apply -f cluster.yaml", "CLUSTER"),
        ("kbx eval kernels --stage perf --engine ray --address HEAD:6379", "CLUSTER"),
        ("kbx eval relu.py --engine ray --out runs/on_ray", "NOTHING"),
        ("kbx redteam --no-checks", "LONG"),
        ("kbx redteam v1_prints_a_verdict", "NOTHING"),
        ("kbx redteam --stage perf", "GPU"),
        ("kbx study mine.toml --out studies/mine", "MODEL"),
        ("kbx study feedback --check", "NOTHING"),
        ("kbx generate --model replay:a.jsonl --tasks gelu", "MODEL"),
    ],
)
def test_what_a_command_needs(text: str, needs: str) -> None:
    assert script("docs_commands").Command("page.md", 1, text).needs.name == needs


def test_every_page_of_the_documentation_is_read() -> None:
    commands = script("docs_commands")
    found = commands.pages()
    assert set(found) == {ROOT / "README.md", *(ROOT / "docs").rglob("*.md")}
    every = [one for path in found for one in commands.commands_in(path.read_text("utf-8"), "")]
    lines = {one.text for one in every}
    assert len(every) > 100 and "kbx demo" in lines
    blocks = [path for path in found if "```sh" in path.read_text("utf-8")]
    assert all(commands.commands_in(path.read_text("utf-8"), "") for path in blocks)


def test_runs_are_there_before_they_are_read() -> None:
    runner = script("run_docs_commands")
    assert runner.read_first(
        ["kbx show runs/demo", "kbx eval a.py --out runs/a", "kbx analyze runs/a runs/b"]
    ) == ["demo", "b"]
    assert script("docs_commands").output_of("kbx query r 'a b' --json > out.json") == "out.json"


def test_commands_run_and_failures_are_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runner, command = script("run_docs_commands"), script("docs_commands").Command
    runner.prepare(tmp_path / "page")
    page = "docs/how-to/run-a-study.md"
    lines = ("export KEY=...", 'test "$KEY" = placeholder && kbx --version', "kbx shw relu",
             "kbx eval a.py --stage perf --out runs/t", "kbx show runs/t",
             "cat mine.toml")  # fmt: skip
    with server({}) as models:
        made = runner.Runner(models, gpu=False, long=False)
        made.page(
            [command(page, 90 + at, line) for at, line in enumerate(lines)], tmp_path / "page"
        )
    said = [line.partition(" ")[0] for line in capsys.readouterr().out.splitlines()]
    assert said == ["ran", "ran", "FAILED", "skipped", "skipped", "ran"]
    assert len(made.failed) == 1 and "Did you mean show?" in made.failed[0]
    assert dict(made.counts) == {"ran": 3, "failed": 1, "skipped": 2}


def test_addresses_and_capitals_are_all_that_is_replaced() -> None:
    runner = script("run_docs_commands")
    with server({}) as models:
        said = runner.as_run("kbx a --base-url https://api.x.com/v1 RUN... openai:m", models)
        assert said == f"kbx a --base-url {models.url} runs/refine openai:m"
        other = runner.as_run("kbx a anthropic:m --base-url https://api.x.com", models)
        assert other.endswith(models.root)


def test_what_was_printed_has_no_failure() -> None:
    *lines, counts = PRINTED.splitlines()
    assert "FAILED" not in PRINTED and "failed" not in counts
    assert sum(line.startswith("ran") for line in lines) > 90
    for need in ("a GPU", "a network", "another program", "machines of a cluster",
                 "data that is not", "many minutes"):  # fmt: skip
        assert any(line.startswith(("listed", "skipped")) and need in line for line in lines), need
