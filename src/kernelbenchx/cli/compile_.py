"""`kbx compile`: registers, spills and shared memory of kernels, for a card that is not here."""

import tempfile
from pathlib import Path
from typing import Any

import click

from kernelbenchx.cli.output import console, print_json


@click.command("compile")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--target",
    default="sm_90",
    show_default=True,
    help="sm_80, sm_89, sm_90, sm_100, gfx942 or gfx950.",
)
@click.option("--task", help="The task, where the file's name does not say it.")
@click.option(
    "--time-limit",
    type=click.FloatRange(1, 3600),
    default=120.0,
    show_default=True,
    help="Seconds for all kernels.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(file: Path, target: str, task: str | None, time_limit: float, as_json: bool) -> None:
    """Compile every kernel that FILE launches, with every autotune configuration."""
    from kernelbenchx.evaluate.extra import require_evaluation_extra

    require_evaluation_extra()
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluate.intake import read
    from kernelbenchx.evaluate.session import Session, resolved

    submission = read([file], task).submissions[0]
    settings = resolved(
        Settings(device="interpreter", target=target, jobs=1, compile_wall_s=time_limit)
    )
    # With torch, which nobody should wait for who misspelt a name.
    from kernelbenchx.evaluate.compile_only import compile_submission

    with tempfile.TemporaryDirectory(prefix="kbx-compile-") as folder:
        with Session(settings, Path(folder)) as session:
            compiled = compile_submission(session.pipeline, submission)
    if as_json:
        document = {"target": compiled.target, "kernels": compiled.kernels}
        print_json(document | ({"problem": compiled.problem} if compiled.problem else {}))
        return
    _show(compiled.target, compiled.kernels)
    if compiled.problem:
        console().print(compiled.problem, markup=False)


def _show(target: str, kernels: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(title=f"{len(kernels)} kernels for {target}")
    for column in ("kernel", "configuration", "registers", "spills", "shared", "result"):
        table.add_column(column)
    for kernel in kernels:
        error = kernel.get("error") or {}
        place = f"line {error.get('line')}: " if error.get("line") else ""
        table.add_row(
            str(kernel.get("name")),
            _configuration(kernel),
            *(str(kernel.get(key) or 0) for key in ("registers", "spills", "shared_bytes")),
            "ok" if kernel.get("ok") else f"{place}{error.get('message', '')}"[:300],
        )
    console().print(table)


def _configuration(kernel: dict[str, Any]) -> str:
    chosen = kernel.get("configuration") or {}
    warps = f"{kernel.get('num_warps')} warps, {kernel.get('num_stages')} stages"
    own = {key: value for key, value in dict(chosen).items() if key not in _SHOWN_APART}
    return ", ".join([*(f"{key}={value}" for key, value in own.items()), warps])


_SHOWN_APART = ("num_warps", "num_stages")
