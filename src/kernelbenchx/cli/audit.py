"""`kbx audit`: how trustworthy published problem files are, at sizes that a CPU can judge."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.number_format import format_count
from kernelbenchx.cli.output import print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.cli.settings import isolation_option, jobs_option
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.catalog.audit_cache import CachedAudit
    from kernelbenchx.catalog.problem_folders import PublishedProblem

_RULES = {"ours": "our budget", "published_1e_2": "1e-2", "published_1e_4": "1e-4"}
_WIDE = 34


@click.command("audit")
@click.argument("folder", type=NamedPath(path_type=Path))
@click.argument("patterns", nargs=-1)
@jobs_option("Problems")
@isolation_option("problem files")
@click.option("--again", is_flag=True, help="Audit again what was audited before.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list.")
def command(
    folder: Path, patterns: tuple[str, ...], jobs: int, isolation: str, again: bool, as_json: bool
) -> None:
    """Audit KernelBench's problem files in FOLDER, at reduced sizes.

    Names the problems that a trivial answer passes, by our budget and by KernelBench's tolerance of
    1e-2 and 1e-4: zeros, a constant, the answer to another input or with other weights, the input.
    PATTERNS are names such as 'level1/*'. What was audited is kept; the same command goes on.
    """
    from kernelbenchx.catalog.problem_folders import published_in
    from kernelbenchx.evaluate.dependencies import require_evaluation_extra

    require_evaluation_extra()
    found = published_in(folder.resolve())
    chosen = _select_problems(list(found.problems.values()), patterns)
    from kernelbenchx.evaluate.problem_audit import audit_all

    rows = []
    if not as_json:
        click.echo(_heading())
    for problem, audit in audit_all(chosen, jobs, isolation, again=again):
        rows.append((problem, audit))
        if not as_json:
            click.echo(_line(problem, audit))
    unreadable = {} if patterns else found.unreadable
    if as_json:
        print_json(
            [_row(*row) for row in rows] + [_make_failure_row(*one) for one in unreadable.items()]
        )
        return
    for line in _summary(rows, unreadable):
        click.echo(line)


def _select_problems(
    problems: Sequence["PublishedProblem"], patterns: tuple[str, ...]
) -> list["PublishedProblem"]:
    from fnmatch import fnmatchcase

    if not patterns:
        return list(problems)
    for pattern in patterns:
        if not any(fnmatchcase(one.name, pattern) for one in problems):
            raise BadInput(f"no problem of the folder matches {pattern!r}")
    return [one for one in problems if any(fnmatchcase(one.name, each) for each in patterns)]


def _heading() -> str:
    columns = (f"{words:<{_WIDE}}" for words in ("passes our budget", "at 1e-2", "at 1e-4"))
    return f"level number {' '.join(columns)} name"


def _line(problem: "PublishedProblem", audit: "CachedAudit") -> str:
    start = f"{problem.level:>5} {problem.number:>6}"
    name = problem.path.stem
    if audit.failed:
        return f"{start} {name}: {audit.failed}"
    each = (", ".join(getattr(audit, rule)) or "-" for rule in _RULES)
    said = " ".join(f"{one:<{_WIDE}}" for one in each)
    return f"{start} {said} {name}{_remark(audit)}"


def _remark(audit: "CachedAudit") -> str:
    if audit.random:
        return " (random)"
    return f" (float32 uses {audit.honest:.2g} of the budget)" if audit.honest > 1 else ""


def _summary(
    rows: Sequence[tuple["PublishedProblem", "CachedAudit"]], unreadable: dict[str, str]
) -> list[str]:
    judged = [(one, audit) for one, audit in rows if not audit.failed]
    lines = ["", f"{format_count(len(rows) + len(unreadable), 'problem')}, {len(judged)} audited"]
    for rule, words in _RULES.items():
        lines.append(_count_and_list(f"a trivial answer passes {words}", judged, rule))
    unsound = [(one, audit) for one, audit in judged if audit.unsound]
    lines.append(f"unsound: {len(unsound)}")
    lines += [f"  {_short(one)}: {audit.unsound}" for one, audit in unsound]
    failed = {_short(one): audit.failed for one, audit in rows if audit.failed} | unreadable
    if failed:
        lines.append(f"not audited: {len(failed)}")
        lines += [f"  {name}: {why}" for name, why in failed.items()]
    return lines


def _count_and_list(
    words: str, judged: Sequence[tuple["PublishedProblem", "CachedAudit"]], rule: str
) -> str:
    names = [_short(one) for one, audit in judged if getattr(audit, rule)]
    return f"{words}: {len(names)}" + (f" ({', '.join(names)})" if names else "")


def _short(problem: "PublishedProblem") -> str:
    return f"L{problem.level}/{problem.number}"


def _row(problem: "PublishedProblem", audit: "CachedAudit") -> dict[str, Any]:
    from kernelbenchx.core.record import to_plain

    start = {"name": problem.name, "level": problem.level, "number": problem.number}
    return {**start, **to_plain(audit), "unsound": audit.unsound}


def _make_failure_row(name: str, why: str) -> dict[str, Any]:
    return {"name": name, "failed": why}
