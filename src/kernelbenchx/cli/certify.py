"""`kbx certify`: witnesses pass, mutants fail."""

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.engine import NodeNotes, engine_options, take_engine
from kernelbenchx.cli.folder_options import tasks_option
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.settings import jobs_option
from kernelbenchx.cli.stability import print_stability, stability_options, take_stability
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.certify.certificate import Certificate
    from kernelbenchx.certify.certifier import Certifier
    from kernelbenchx.certify.mutation.summary import MutationSummary
    from kernelbenchx.certify.problems.problem_certificate import ProblemCertificate
    from kernelbenchx.evaluator import Evaluator

    AnyCertificate = Certificate | ProblemCertificate


@click.command("certify")
@click.argument("tasks", nargs=-1)
@tasks_option
@click.option(
    "--device",
    type=click.Choice(["auto", "cuda", "interpreter"]),
    default="auto",
    show_default=True,
    help="Where kernels run.",
)
@jobs_option("Tasks")
@engine_options
@click.option("--mutate", is_flag=True, help="Run automatic mutants of the witnesses.")
@stability_options
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    help="Seeds for each automatic mutant, or each kernel.  [default: 1, or 5]",
)
@click.option("--write", is_flag=True, help="Save certificates and mutation results.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(
    tasks: tuple[str, ...],
    device: str,
    jobs: int,
    mutate: bool,
    seeds: int | None,
    write: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Certify TASKS (all without one): exit code 1 if one is not certified.

    Without --mutate the mutation results that are shipped with the catalogue count. A KernelBench
    problem gets a grade: witnessed, discriminating, or unsound as published; mutants are made from
    the graph of its module.

    With --stability witnesses, near misses and controls of TASKS are judged under several seeds:
    exit code 1 if more than 1 % of the verdicts differ from the majority of their kernel.
    """
    from kernelbenchx.evaluate.dependencies import require_evaluation_extra

    require_evaluation_extra()
    from kernelbenchx import catalog
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluator import Evaluator

    chosen = catalog.select(*tasks)
    names = tuple(name for name in chosen if catalog.find_published(name) is None)
    if not names:
        raise BadInput(f"{chosen[0]} is imported and has no certificate; `kbx audit` looks at it")
    settings = Settings(device=device, jobs=jobs)
    asked = take_stability(options)
    if asked is not None:
        return print_stability(names, asked, seeds, settings, as_json=as_json)
    # Imported late: a misspelt name is refused before torch is loaded.
    from kernelbenchx.certify.mutation.running import load_summary, results_folder, run_mutants

    with tempfile.TemporaryDirectory(prefix="kbx-certify-") as scratch:
        for kept in {results_folder(name) for name in names} if not write else ():
            if kept.is_dir():
                shutil.copytree(kept, scratch, dirs_exist_ok=True)

        def mutation(name: str, certifier: "Certifier") -> "MutationSummary":
            results = results_folder(name) if write else Path(scratch)
            if mutate:
                return run_mutants(name, certifier.catch_with, seeds or 1, results)
            return load_summary(name, results)

        with Evaluator(settings, engine=take_engine(options)) as evaluator:
            certifier = _certifier(evaluator)
            found = _certify_tasks(names, certifier, mutation, quiet=as_json, write=write)
    if as_json:
        print_json(_document(found))
    else:
        _show(found)
    return 1 if any(one.problems for one in found) else 0


def _certifier(evaluator: "Evaluator") -> "Certifier":
    """The stages themselves: mutants run under many seeds, each until a case fails."""
    from kernelbenchx.certify.certifier import LocalCertifier, RemoteCertifier

    session = evaluator.session
    session.expect((), NodeNotes())
    remote = session.remote
    return LocalCertifier(session.pipeline) if remote is None else RemoteCertifier(remote)


def _certify_tasks(
    names: Sequence[str], certifier: "Certifier", mutation: Any, *, quiet: bool, write: bool
) -> "list[AnyCertificate]":
    """In the order of the names; problems have a certifier of their own."""
    from kernelbenchx.catalog.certificates import kept_at
    from kernelbenchx.catalog.facts import facts
    from kernelbenchx.certify.certifier import certify_all
    from kernelbenchx.store.certificates import keep

    def tell(certificate: "AnyCertificate") -> None:
        if write:
            keep(kept_at(certificate.task), [certificate])
        if not quiet:
            print(f"  {certificate.task}: {certificate.grade}", file=sys.stderr, flush=True)

    problems = [name for name in names if facts(name).problem is not None]
    functions = [name for name in names if name not in problems]

    def one(name: str) -> "Certificate":
        return certifier.certify(name).with_mutation(mutation(name, certifier))

    at_once = certifier.at_once
    found: list[AnyCertificate] = [
        *certify_all(functions, one, tell, at_once),
        *certify_all(problems, certifier.certify_problem, tell, at_once),
    ]
    return sorted(found, key=lambda one: names.index(one.task))


def _document(found: "list[AnyCertificate]") -> dict[str, Any]:
    from kernelbenchx.core.record import to_plain

    return {
        "tasks": len(found),
        "certified": sum(one.certified for one in found),
        "imported": sum(one.grade == "imported" for one in found),
        "grades": dict(Counter(one.grade for one in found)),
        "mutants": sum(one.count("mutant", "patch") for one in found),
        "killed": sum(one.count_killed("mutant", "patch") for one in found),
        "sabotages": sum(one.count("sabotage") for one in found),
        "sabotages_killed": sum(one.count_killed("sabotage") for one in found),
        "failed": [{"task": one.task, "problems": list(one.problems)}
                   for one in found if one.problems],
        "mutation": _mutation(found),
        "certificates": [to_plain(one) | {"grade": one.grade} for one in found],
    }  # fmt: skip


def _mutation(found: "list[AnyCertificate]") -> dict[str, Any]:
    """Automatic mutants of all tasks; `rate` is the share that one run kills."""
    from kernelbenchx.core.record import to_plain

    ran = [one for one in map(_summary, found) if one is not None and one.mutants]
    mutants = sum(one.mutants for one in ran)
    killed = sum(one.rate * one.mutants for one in ran)
    return {
        "mutants": mutants,
        "killed": round(killed, 2),
        "rate": killed / mutants if mutants else None,
        "equivalent": sum(len(one.equivalents) for one in ran),
        "by_task": {one.task: to_plain(one) for one in ran},
    }


def _summary(one: "AnyCertificate") -> "MutationSummary | None":
    """Problems have none: their mutants are those of the graph."""
    found: MutationSummary | None = getattr(one, "mutation", None)
    return found


def _show(found: "list[AnyCertificate]") -> None:
    from rich.table import Table

    table = Table()
    for column in ("task", "witness", "worst", "mutants", "sabotage", "automatic", "grade"):
        table.add_column(column)
    for one in found:
        table.add_row(
            one.task,
            one.witness,
            f"{one.worst:.2f}",
            f"{one.count_killed('mutant', 'patch')}/{one.count('mutant', 'patch')}",
            f"{one.count_killed('sabotage')}/{one.count('sabotage')}",
            _rate(one),
            one.grade if one.certified else f"[red]{one.grade}[/red]",
        )
    shown = console()
    shown.print(table)
    for one in found:
        for line in _lines(one):
            shown.print(f"{one.task}: {line}", markup=False)


def _rate(one: "AnyCertificate") -> str:
    from kernelbenchx.certify.certificate import Certificate

    if not isinstance(one, Certificate):
        return "-"
    return f"{one.mutation.rate:.0%}" if one.mutation and one.mutation.mutants else "not run"


def _lines(one: "AnyCertificate") -> list[str]:
    """What does not hold, and what lives though enough others die."""
    from kernelbenchx.certify.certificate import Certificate

    if isinstance(one, Certificate):
        alive = one.mutation.survivors if one.mutation else ()
        return [
            *one.problems,
            *(f"lives in {it.seeds - it.killed} of {it.seeds} runs: {it.mutant}" for it in alive),
        ]
    if one.unsound:
        return [f"{one.grade}: {one.unsound}"]
    lived = [kill.name for kill in one.kills if kill.kind == "mutant" and not kill.killed]
    errors = ", ".join(f"{share:.2f} ({order})" for order, share in one.honest.items())
    return [
        f"float32 needs {errors} of the budget; {one.ineffective} mutants change no answer",
        *one.problems,
        *([f"lives: {'; '.join(lived)}"] if lived and not one.faults else []),
    ]
