"""`kbx export`: what runs hold, as files for others."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kernelbenchx.cli.filter_options import wanted_options
from kernelbenchx.cli.number_format import format_count
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.path_types import NamedPath

if TYPE_CHECKING:
    from kernelbenchx.analysis.attempt_filter import AttemptFilter


@click.group("export")
def command() -> None:
    """Write what runs hold into files: steps between kernels, recordings, KernelBench's results.

    Each says with --json what it wrote.
    """


@command.command("transitions")
@click.argument("runs", nargs=-1, required=True, type=NamedPath(path_type=Path))
@click.option("--out", required=True, type=NamedPath(path_type=Path, dir_okay=False), help="File.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "parquet"]),
    help="File format.  [default: parquet for *.parquet, otherwise jsonl]",
)
@click.option("--json", "as_json", is_flag=True, help="What was written, as JSON.")
@wanted_options
def transitions(
    runs: tuple[Path, ...], out: Path, form: str | None, as_json: bool, wanted: "AttemptFilter"
) -> None:
    """Steps between kernels of RUNS..., with both sources.

    A row is a step that changed something: a kernel was repaired, was broken, or became faster or
    slower by more than noise; the same code is never a gain. A data card is written beside the
    file: FILE.md.

    \b
    kbx export transitions runs/refine --out steps.jsonl
    kbx export transitions runs/a runs/b --out steps.parquet
    """
    from kernelbenchx.core.errors import BadInput
    from kernelbenchx.export.corpus import CorpusCounts, transitions
    from kernelbenchx.export.data_card import CorpusExport, data_card
    from kernelbenchx.export.rows import check_form, form_of, whole_file, write_rows
    from kernelbenchx.export.transition import KernelTransition
    from kernelbenchx.store.attempts import read_attempts

    form, card = form or form_of(out), out.with_name(f"{out.name}.md")
    check_form(form)
    with console(stderr=True).status("reading runs") as status:
        attempts = wanted.pick(read_attempts(runs))
        if not attempts:
            raise BadInput("these runs hold no evaluation: nothing to export")
        status.update("writing steps")
        counts = CorpusCounts()
        write_rows(out, transitions(attempts, counts), KernelTransition, form)
    made = CorpusExport(out.name, form, runs, len(attempts), counts)
    with whole_file(card) as file:
        file.write_text(data_card(made), encoding="utf-8")
    if as_json:
        kinds = {kind.value: many for kind, many in counts.kinds.items()}
        print_json({"file": str(out), "card": str(card), "rows": counts.row_count, "steps": kinds})
        return
    total = counts.kinds.total()
    to = console()
    to.print(
        f"{format_count(total, 'step')}, {counts.row_count:,} of them changed something",
        markup=False,
    )
    for kind, many in counts.kinds.most_common():
        to.print(f"  {many:>9,}  {kind.replace('_', ' ')}", markup=False)
    to.print(f"{out}, with its data card {card}", markup=False)


@command.command("kernelbench")
@click.argument("run", type=NamedPath(path_type=Path))
@click.option("--out", required=True, type=NamedPath(path_type=Path), help="Folder.")
@click.option(
    "--precision",
    type=click.Choice(["fp32", "tf32", "fp16", "bf16"]),
    default="fp32",
    show_default=True,
    help="Which results: precisions are never counted together.",
)
@click.option("--json", "as_json", is_flag=True, help="What was written, as JSON.")
@wanted_options
def kernelbench(
    run: Path, out: Path, precision: str, as_json: bool, wanted: "AttemptFilter"
) -> None:
    """Results of RUN in KernelBench's own files.

    Of several turns or candidates, the kernel that the method keeps counts. For each level there
    is a folder with eval_results.json, pass_at_k_results.json and baseline_time_torch.json, which
    KernelBench's own analysis reads. It counts a problem without a result as failed; what is void
    is left out, so the rates are printed as bounds. A correct kernel without a time fails its
    fast_p at every p.

    \b
    kbx export kernelbench runs/mine --out kernelbench/mine
    """
    from kernelbenchx.core.errors import BadInput
    from kernelbenchx.export.kept_results import kept_results
    from kernelbenchx.export.kernelbench import write_results
    from kernelbenchx.runs import load_run

    levels = write_results(kept_results(load_run(run).path, wanted), out, precision)
    if not levels:
        raise BadInput(
            f"{run} holds no evaluation of a KernelBench problem in {precision}: nothing to export"
        )
    if as_json:
        print_json(
            [
                {
                    "level": one.level,
                    "folder": str(one.folder),
                    "problems": one.problems,
                    "judged": len(one.judged),
                    "correct": len(one.correct),
                    "untimed": len(one.untimed),
                    "void": len(one.void),
                    "bounds": one.bounds,
                }
                for one in levels
            ]
        )
        return
    to = console()
    for one in levels:
        low, high = (f"{100 * rate:.1f} %" for rate in one.bounds)
        rate = low if not one.void else f"{low} with voids as failed, {high} as passed"
        to.print(
            f"level {one.level}: {len(one.judged)} of {one.problems} problems judged, "
            f"{len(one.correct)} correct by sample 0: {rate}",
            markup=False,
        )
        to.print(f"  {one.folder}", markup=False)
    to.print("KernelBench's analysis counts problems without a result as failed.", markup=False)
    if untimed := sum(len(one.untimed) for one in levels):
        have = f"{format_count(untimed, 'correct kernel')} {'has' if untimed == 1 else 'have'}"
        to.print(
            f"{have} no time: KernelBench's fast_p counts that as failed at every p, also at 0, "
            "and its mean speedup means nothing. kbx eval --stage perf takes times, on a GPU.",
            markup=False,
        )


@command.command("recording")
@click.argument("run", type=NamedPath(path_type=Path))
@click.option("--out", required=True, type=NamedPath(path_type=Path, dir_okay=False), help="File.")
@click.option("--json", "as_json", is_flag=True, help="What was written, as JSON.")
@wanted_options
def recording(run: Path, out: Path, as_json: bool, wanted: "AttemptFilter") -> None:
    """The transcript of RUN, to be answered from.

    A model named replay:FILE says again what the model of that run said.

    \b
    kbx export recording runs/refine --out refine.jsonl
    """
    from kernelbenchx.core.errors import BadInput
    from kernelbenchx.export.rows import whole_file
    from kernelbenchx.generate.models.recorded_model import write_recording
    from kernelbenchx.store.exchanges import each_exchange

    with whole_file(out) as file:
        every = each_exchange(run)
        chosen = (one for one in every if wanted.names(one.task, one.method, one.request.model))
        count = write_recording(file, chosen)
        if not count and wanted:
            raise BadInput(f"{run} has no exchange of {wanted.words}")
        if not count:
            raise BadInput(f"{run} has no transcript: no model was used in it")
    if as_json:
        print_json({"file": str(out), "exchanges": count})
        return
    console().print(
        f"{format_count(count, 'exchange')} in {out}: --model replay:{out}", markup=False
    )
