"""`kbx show`: the statement of a task, a run's results, or one of them with all about it."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.folder_options import problems_option, tasks_option
from kernelbenchx.cli.number_format import format_count
from kernelbenchx.cli.output import print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.core.evaluation import Evaluation
    from kernelbenchx.store.evaluation_lookup import StoredEvaluation


@click.command("show")
@click.argument("name", metavar="TASK|RUN", type=NamedPath(readable=False))
@click.argument("submission", required=False)
@tasks_option
@problems_option
@click.option("--reference", is_flag=True, help="Source of the task file, with the reference.")
@click.option(
    "--cases", is_flag=True, help="Calls that every run makes, and timing cases (loads torch)."
)
@click.option("--space", is_flag=True, help="The space that calls are drawn from (loads torch).")
@click.option(
    "--limits", is_flag=True, help="Bytes, operations and least time of timing cases (loads torch)."
)
@click.option("--gpu", help="The GPU of --limits, such as H200 or 'RTX 4090'.  [default: H200]")
@click.option("--witness", is_flag=True, help="A kernel that passes.")
@click.option("--transcript", is_flag=True, help="What a model was asked for SUBMISSION.")
@click.option("--all", "every", is_flag=True, help="Every row of a large run.")
@click.option("--json", "as_json", is_flag=True, help="The statement or the result as JSON.")
def command(
    name: str,
    submission: str | None,
    transcript: bool,
    every: bool,
    as_json: bool,
    gpu: str | None,
    **parts: bool,
) -> None:
    """Show TASK, the results of RUN, or what became of SUBMISSION in RUN.

    A task: its statement, without cases and answers, and below a line what no prompt has. What
    else a model is told depends on method and form: --transcript shows it.

    A result: outcome, device time and call time, distance to the roofline, findings.
    RUN is the folder of a run. SUBMISSION is a name in it (the newest result is shown) or the first
    characters of a key, at least four. Without it you get a row for each submission, or the whole
    result if there is only one. A name that is both a task and a run means the task.

    \b
    kbx show gelu
    kbx show gelu --limits --gpu H200
    kbx show runs/demo
    kbx show runs/demo gelu__always_tanh
    kbx show runs/refine gelu__round1 --transcript
    """
    if transcript and submission is None:
        raise BadInput("--transcript is about one submission: kbx show RUN SUBMISSION --transcript")
    if gpu is not None and not parts["limits"]:
        raise BadInput("--gpu belongs to --limits: kbx show TASK --limits --gpu NAME")
    tasks = _tasks(name) if submission is None else ()
    if tasks:
        if sum(parts.values()) + as_json > 1:
            raise BadInput(f"choose one of {_PARTS} and --json")
        if len(tasks) != 1:
            raise BadInput(f"{name} names {len(tasks)} tasks, expected one")
        if parts["limits"]:
            _show_limits(tasks[0], gpu or "H200")
            return
        _show_task(tasks[0], next((part for part, asked in parts.items() if asked), ""), as_json)
        return
    if any(parts.values()):
        raise BadInput(f"{_PARTS} need a task, not a result")
    if submission is None:
        _show_run(Path(name), every=every, as_json=as_json)
        return
    from kernelbenchx.store.evaluation_lookup import find

    kept = find(Path(name), submission)
    if transcript:
        _show_transcript(kept, as_json=as_json)
    else:
        _show_result(kept, as_json=as_json)


BESIDE = "---\nNot part of the statement, and in no prompt:"
_PARTS = "--reference, --cases, --space, --limits, --witness"


def _tasks(name: str) -> tuple[str, ...]:
    """The tasks of that name; none where it is a run."""
    from kernelbenchx import catalog
    from kernelbenchx.store.corpus import is_corpus
    from kernelbenchx.store.layout import RunFolder
    from kernelbenchx.store.suggestions import suggest_run

    try:
        return catalog.select(name)
    except BadInput as error:
        path = Path(name)
        if path.is_file() or RunFolder(path).database.is_file() or is_corpus(path):
            return ()
        hint = suggest_run(path)
        raise BadInput(f"{error}, and there is no such run{hint}") from error


def _show_run(run: Path, *, every: bool, as_json: bool) -> None:
    """The only result in full, or a row for each."""
    from kernelbenchx.store.evaluation_lookup import newest

    found = newest(run)
    if not found:
        raise BadInput(f"{run} holds no evaluation")
    if len(found) == 1:
        _show_result(found[0], as_json=as_json)
        return
    if as_json:
        from kernelbenchx.store.evaluation_lookup import not_judged

        results = [_document(one) for one in found]
        print_json({"run": str(run), "results": results, "not_judged": dict(not_judged(run))})
        return
    from kernelbenchx.cli.evaluation_table import print_evaluations

    for evaluations in _by_machine(one.evaluation for one in found):
        print_evaluations(evaluations, run, every=every)
        print()
    from kernelbenchx.cli.not_judged import left_out
    from kernelbenchx.store.evaluation_lookup import not_judged

    for line in left_out(not_judged(run)):
        print(line)
    older = sum(len(one.older) for one in found)
    if older:
        print(f"not shown: {format_count(older, 'older evaluation')} of these names")
    _print_notes(run)
    print(f"one of them in full: kbx show {run} {found[0].evaluation.submission}")


def _print_notes(run: Path) -> None:
    from kernelbenchx.store.corpus import corpus_notes

    for note in corpus_notes([run]):
        print(note)


def _by_machine(evaluations: Iterable["Evaluation"]) -> Iterable[list["Evaluation"]]:
    """Groups by GPU, since verdicts of the interpreter and times of different GPUs never mix."""
    from kernelbenchx.core.performance import Timed

    groups: dict[tuple[bool, str], list[Evaluation]] = {}
    for one in evaluations:
        timed = one.performance
        card = timed.gpu.name if isinstance(timed, Timed) else one.environment.gpu
        groups.setdefault((one.provisional, card), []).append(one)
    return groups.values()


def _show_result(kept: "StoredEvaluation", *, as_json: bool) -> None:
    if as_json:
        print_json(_document(kept))
        return
    from kernelbenchx.cli.evaluation_detail import print_result

    print_result(kept)
    _print_notes(kept.run)
    if kept.evaluation.origin.step:
        named = f"{kept.run} {kept.evaluation.submission}"
        print(f"\nwhat the model was asked: kbx show {named} --transcript")


def _show_transcript(kept: "StoredEvaluation", *, as_json: bool) -> None:
    from kernelbenchx.cli.transcript import exchanges_of, print_conversation

    found = exchanges_of(kept)
    if as_json:
        from kernelbenchx.core.record import to_plain

        print_json([to_plain(one) for one in found])
    else:
        print_conversation(found)


def _document(kept: "StoredEvaluation") -> dict[str, Any]:
    from kernelbenchx.cli.evaluation_json import result

    named = {"run": str(kept.run), "key": kept.key, "created": kept.created}
    return named | {"older": [one.key for one in kept.older]} | result(kept.evaluation)


def _show_limits(name: str, gpu: str) -> None:
    from kernelbenchx.evaluate.dependencies import require_evaluation_extra

    require_evaluation_extra()
    from kernelbenchx.cli.output import console
    from kernelbenchx.cli.roofline import limits_table

    console().print(limits_table(name, gpu))


def _show_task(name: str, part: str, as_json: bool) -> None:
    from kernelbenchx.task_info import task

    if as_json:
        from kernelbenchx.catalog.published_signatures import published_signatures
        from kernelbenchx.catalog.statement import statement
        from kernelbenchx.cli.task_facts import facts_document
        from kernelbenchx.core.record import to_plain

        more = {"facts": facts_document(name), "signatures": published_signatures(name).by_form}
        print_json(to_plain(statement(name)) | more)
    elif part == "reference":
        print(task(name).reference, end="")
    elif part in ("cases", "space"):
        from kernelbenchx import catalog
        from kernelbenchx.evaluate.dependencies import require_evaluation_extra

        require_evaluation_extra()
        from kernelbenchx.cli.task_space import case_lines, space_lines

        print(*(case_lines if part == "cases" else space_lines)(catalog.load(name)), sep="\n")
    elif part == "witness":
        print(task(name).witness, end="")
    else:
        from kernelbenchx.checks.allowed import allowed_imports
        from kernelbenchx.cli.task_facts import facts_line, signatures_line

        print(task(name).statement)
        print(BESIDE)
        print(f"A submission may import from {', '.join(allowed_imports())}.")
        for line in filter(None, (signatures_line(name), facts_line(name))):
            print(line)
