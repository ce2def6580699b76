"""Write the generated parts of the pages on the catalogue, without torch.

    python scripts/write_catalogue.py [--check]

In reference/catalogue.md the tables of tasks are between `<!-- catalogue -->` and `<!-- end -->`,
those of KernelBench's problems after `<!-- problems -->`; in explanation/published_flaws.md the
codes are after `<!-- codes -->` and the tasks after `<!-- flaws -->`. Within a line of any of PAGES
a number stands between `<!-- count NAME -->` and `<!-- / -->`. With --check nothing is written; the
exit status says whether all pages are up to date.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from kernelbenchx import TaskInfo, catalog, load_run, tasks
from kernelbenchx.analysis.published_data import TASKS
from kernelbenchx.catalog.audit_codes import FLAWS
from kernelbenchx.catalog.certificates import wrong_answers
from kernelbenchx.catalog.digests import mutation_digest
from kernelbenchx.catalog.facts import ContractFacts
from kernelbenchx.catalog.kernelbench import LEVELS, problem_files
from kernelbenchx.catalog.published_tests import is_in_published_list
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.mutation.engine import SourceMutant
from kernelbenchx.certify.mutation.results import FOLDER, ResultsFile
from kernelbenchx.certify.mutation.summary import summarize
from kernelbenchx.cli.number_format import format_count, interval
from kernelbenchx.core.grades import Grade
from kernelbenchx.core.performance import Timed

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ROOT / "docs" / "reference" / "catalogue.md"
FLAWS_PAGE = ROOT / "docs" / "explanation" / "published_flaws.md"
LIMITATIONS = ROOT / "docs" / "limitations.md"
MODULES = ROOT / "docs" / "explanation" / "soundness_modules.md"
PAGES = (CATALOGUE, FLAWS_PAGE, LIMITATIONS, MODULES)
RUN = ROOT / "examples" / "runs" / "h200_witnesses.sqlite.gz"
PART = re.compile(r"(<!-- (catalogue|problems|codes|flaws) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)
COUNT = re.compile(r"(<!-- count (\w+) -->)(.*?)(<!-- / -->)")
UNKNOWN = "-"
EARLIER = r" \*"
"""Behind a time of an earlier version of the witness."""


def main(check: bool) -> int:
    """All pages; 1 if one is not up to date and nothing was to be written."""
    stale = [path for path in PAGES if written(path.read_text("utf-8")) != path.read_text("utf-8")]
    for path in stale:
        print(f"{path.relative_to(ROOT)} is {'stale' if check else 'written'}")
        if not check:
            path.write_text(written(path.read_text("utf-8")), encoding="utf-8")
    return int(check and bool(stale))


def written(text: str) -> str:
    """The text with its generated parts made again."""

    def part(found: re.Match[str]) -> str:
        return f"{found[1]}{PARTS[found[2]]()}{found[4]}"

    def number(found: re.Match[str]) -> str:
        return f"{found[1]}{COUNTS[found[2]]()}{found[4]}"

    return COUNT.sub(number, PART.sub(part, text))


def categories() -> str:
    """How many tasks there are, then a table for each category."""
    shown = own_tasks()
    certified = sum(one.certified for one in shown)
    parts = [f"{format_count(len(shown), 'task')}, {certified} of them certified.\n"]
    for category, published in TASKS.items():
        rows = [row(one) for one in shown if one.facts.published == category]
        if rows:
            head = "task | statement | contract | scopes | certified | mutants killed | over eager"
            listed = sum(
                is_in_published_list(one.name) for one in shown if one.facts.published == category
            )
            count = format_count(len(rows), "task")
            parts.append(
                f"## {category}\n\n{count} here. {listed} of them are in the published list, which "
                f"has {published}.\n"
            )
            parts.append(table(head, rows))
    return "\n".join(parts)


def own_tasks() -> list[TaskInfo]:
    """Those of the package that are functions; folders that a user added have their own pages."""
    return [one for one in tasks(*catalog.function_names()) if not catalog.is_added(one.name)]


def row(one: TaskInfo) -> tuple[str, ...]:
    """What is known of one task."""
    return (
        f"`{one.facts.name}`",
        plain(one.description.partition("\n")[0]),
        contract(one.facts.contract),
        ", ".join(one.facts.scopes),
        "yes" if one.certified else "no",
        kill_rate(one),
        times().get(one.name, UNKNOWN),
    )


def contract(found: ContractFacts) -> str:
    """Its kind, with the kinds of its parts."""
    kinds = dict.fromkeys(part.kind.lower() for part in found.parts)
    return found.kind.lower() + (f" ({', '.join(kinds)})" if kinds else "")


def kill_rate(one: TaskInfo, folder: Path = FOLDER) -> str:
    """Share of the automatic mutants that a run rejects, as a mean over seeds.

    Results that fit the digest are of the mutants that the engine makes now: making them again
    would take most of the time of this script.
    """
    results = ResultsFile.load(folder, one.name, mutation_digest(one.name))
    tried = dict.fromkeys(trial.mutant for trial in results.trials.values())
    summary = summarize(one.name, one.witness, [SourceMutant("", it, "") for it in tried], results)
    if not summary.mutants:
        return UNKNOWN
    return f"{summary.rate:.1%} of {summary.mutants}, {format_count(summary.seeds, 'seed')}"


@cache
def times(run: Path = RUN) -> dict[str, str]:
    """Speedups of witnesses over eager by task, from the run of the example."""
    opened = load_run(run)
    known = set(catalog.names())
    found = {}
    for one in opened.results:
        speedup = one.performance.find_speedup() if isinstance(one.performance, Timed) else None
        if speedup is None or one.task not in known:
            continue
        mark = "" if opened.read_source(one) == witness_source(one.task) else EARLIER
        found[one.task] = interval(speedup.speedup, speedup.low, speedup.high) + mark
    return found


def problems() -> str:
    """How many KernelBench problems have which grade, then a table for each level."""
    shown = [one for one in tasks(*catalog.problem_names()) if not catalog.is_added(one.name)]
    grades = Counter(one.grade for one in shown)
    named = ", ".join(f"{grades[grade]} {grade.value}" for grade in Grade if grades[grade])
    parts = [f"{format_count(len(shown), 'problem')}: {named}.\n"]
    head = "problem | number | statement | grade | wrong answers"
    for level in LEVELS:
        here = [one for one in shown if one.category == f"level{level}"]
        rows = [problem_row(one) for one in sorted(here, key=number_of)]
        published = len(problem_files(level))
        parts.append(f"### Level {level}\n\n{len(rows)} of KernelBench's {published}.\n")
        parts.append(table(head, rows))
    return "\n".join(parts)


def number_of(one: TaskInfo) -> int:
    """KernelBench's number."""
    return one.facts.problem.number if one.facts.problem else 0


def problem_row(one: TaskInfo) -> tuple[str, ...]:
    """What is known of one problem."""
    return (
        f"`{one.facts.name}`",
        str(number_of(one)),
        plain(one.description.partition("\n")[0]),
        one.grade.value,
        str(wrong_answers(one.name)) if one.certified else UNKNOWN,
    )


def codes() -> str:
    """The codes that tasks here have, with the number of tasks."""
    used = [code for one in own_tasks() for code in one.facts.audit]
    rows = [
        (f"`{code}`", flaw.published, flaw.here, str(used.count(code)))
        for code, flaw in FLAWS.items()
        if code in used
    ]
    return table("code | in the published task | in the task here | tasks", rows)


def flaws() -> str:
    """A row for each code of each task."""
    rows = [
        (
            f"`{one.facts.name}`",
            one.facts.published,
            f"`{code}`",
            "; ".join(map(plain, one.facts.covered[code])),
            "yes" if one.certified else "no",
        )
        for one in own_tasks()
        for code in one.facts.audit
    ]
    sound = sum(not one.facts.audit for one in own_tasks())
    head = "task | category | code | wrong answers that are rejected here | certified"
    return f"{table(head, rows)}\n{sound} other tasks have no code.\n"


def table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    """In Markdown."""
    rule = "|" + "---|" * len(head.split(" | "))
    return "\n".join([f"| {head} |", rule, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def plain(text: str) -> str:
    """Text of a task as it is, in a cell: of its markup only code is kept."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        one.replace("|", r"\|")
        if number % 2
        else re.sub(r"([\\|*_\[\]])", r"\\\1", one).replace("<", "&lt;")
        for number, one in enumerate(parts)
    )


def judged_modules() -> int:
    """Problems of which the page on public modules lists one."""
    text = MODULES.read_text(encoding="utf-8").partition("<!-- modules -->")[2]
    return len(set(re.findall(r"^\| (\d+/\d+) s\d+ \|", text, re.MULTILINE)))


COUNTS = {
    "problems": lambda: len(catalog.problem_names()),
    "kernelbench": lambda: sum(len(problem_files(level)) for level in LEVELS),
    "judged": judged_modules,
}
PARTS = {"catalogue": categories, "problems": problems, "codes": codes, "flaws": flaws}

if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
