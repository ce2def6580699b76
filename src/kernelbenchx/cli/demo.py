"""`kbx demo`: evaluate the sample kernels of the package and write a report, without a GPU."""

import shlex
import sys
from collections import Counter
from contextlib import nullcontext, redirect_stdout
from fnmatch import fnmatch
from pathlib import Path

import click

from kernelbenchx.cli.output import print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.core.errors import BadInput

SAMPLES = Path(__file__).parents[1] / "demo"
SQL = "select outcome, count(*) as submissions from evaluations group by outcome order by 2 desc"


@click.command("demo")
@click.argument("names", nargs=-1)
@click.option(
    "--out",
    type=NamedPath(path_type=Path),
    default=Path("runs/demo"),
    show_default=True,
    help="The run; the report is written next to it, with the suffix -report.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...], out: Path, as_json: bool) -> None:
    """Evaluate the sample kernels NAMES (all without one) and write a report; needs no GPU.

    Some samples are correct, most fail in a way that models often do. Every step is an ordinary
    command, which is printed before it runs.

    \b
    kbx demo
    kbx demo 'relu__*' --out runs/relu
    """
    root, report = ctx.find_root().command, Path(f"{out}-report")
    steps = {
        "evaluate sample kernels in the interpreter": _evaluation(names, out),
        "count the outcomes with SQL": ["query", str(out), SQL],
        "write a report that opens from disk": ["report", str(out), "--out", str(report)],
    }
    # With --json standard output holds the document alone.
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        for what, words in steps.items():
            print(f"== {what}\n$ {shlex.join(['kbx', *words])}", flush=True)
            root.main(words, prog_name="kbx", standalone_mode=False)
    if as_json:
        print_json(_document(out, report))


def _evaluation(names: tuple[str, ...], out: Path) -> list[str]:
    options = ["--device", "interpreter", "--out", str(out)]
    return ["eval", *map(str, _select_samples(names) if names else [SAMPLES]), *options]


def _select_samples(names: tuple[str, ...]) -> list[Path]:
    samples = sorted(path for path in SAMPLES.iterdir() if path.is_file())
    for name in names:
        if not any(fnmatch(path.stem, name) for path in samples):
            known = ", ".join(path.stem for path in samples)
            raise BadInput(f"no sample kernel is called {name!r}: {known}")
    return [path for path in samples if any(fnmatch(path.stem, name) for name in names)]


def _document(out: Path, report: Path) -> dict[str, object]:
    from kernelbenchx.runs import load_run

    results = load_run(out).results
    return {
        "run": str(out),
        "report": str(report / "index.html"),
        "counts": Counter(one.verdict.replace(" ", "_") for one in results),
        "outcomes": {one.submission: one.verdict for one in results},
    }
