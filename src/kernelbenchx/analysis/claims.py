"""The papers' claims checked on any study: each holds, fails or stays undecided."""

import math
from collections.abc import Iterator, Sequence

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.claim_choices import choice_findings
from kernelbenchx.analysis.claim_deviance import category_over_method
from kernelbenchx.analysis.claim_findings import FEWEST_TASKS, ClaimFinding
from kernelbenchx.analysis.claim_reach import reach_findings, worst_portability
from kernelbenchx.analysis.claim_rounds import round_findings
from kernelbenchx.analysis.claim_statements import BY_NAME, STATEMENTS
from kernelbenchx.analysis.claim_tasks import first_round_findings, portability, task_findings
from kernelbenchx.analysis.claims_published import published_findings
from kernelbenchx.analysis.frame import AttemptFrame, frame_of
from kernelbenchx.analysis.interval_cells import interval
from kernelbenchx.analysis.kernel_origins import who_wrote, whose_kernels
from kernelbenchx.analysis.published_attempts import RUN
from kernelbenchx.analysis.table import Table, Value, aside, columns

STUDY, PAPERS = "these runs", "the papers"
_ABOUT = (
    "Statements of both papers and ours, each with a written definition. `holds`: the whole 95 % "
    "interval lies on the statement's side of its threshold. `fails`: wholly on the other side. "
    "`cannot be told`: neither, or there is no interval. `not enough`: fewer than "
    f"{FEWEST_TASKS} tasks, or so few in one of two groups that are compared. Whether the value "
    "equals the printed one is another question."
)
_DEFINED = (
    "What each statement means here. The thresholds are choices of this project, written down so "
    "that a study can disagree with a paper. A statement of this project is in neither paper."
)
_MANY = (
    "Every row is a verdict of its own: of many rows some are wrong by chance, one in forty where "
    "the truth is at the threshold."
)


def tables(attempts: Sequence[Attempt], *, published: bool = False) -> list[Table]:
    """The verdicts, and what each statement means."""
    found = [(STUDY, one) for one in study_findings(attempts)]
    if published:
        found += [(PAPERS, one) for one in published_findings()]
    order = list(BY_NAME)
    found.sort(key=lambda one: (one[0] == PAPERS, order.index(one[1].claim)))
    asked = {one.claim for _, one in found}
    notes = (*whose_kernels(attempts), _MANY) if found else ()
    return [_verdicts(found, (*notes, *_not_asked(asked))), _definitions()]


def study_findings(attempts: Sequence[Attempt]) -> list[ClaimFinding]:
    """Of runs; GPUs are never mixed."""
    frame = frame_of([one for one in attempts if one.run != RUN])
    found = [one for gpu in frame.card.labels for one in _of_gpu(frame, gpu)]
    return [*found, *portability(frame), *worst_portability(frame)]


def _of_gpu(frame: AttemptFrame, gpu: str) -> Iterator[ClaimFinding]:
    own = frame.pick(frame.card.codes == frame.card.labels.index(gpu))
    subject = f"{who_wrote(own)}, {gpu}"
    yield from category_over_method(list(own.attempts), subject)
    yield from task_findings(own, subject)
    yield from first_round_findings(own, gpu)
    yield from round_findings(own, gpu)
    yield from choice_findings(own, gpu)
    yield from reach_findings(own, gpu)


def _verdicts(found: Sequence[tuple[str, ClaimFinding]], notes: tuple[str, ...]) -> Table:
    return Table(
        name="claims",
        title="Do the papers' claims hold?",
        about=_ABOUT,
        columns=(
            *columns(("study", "study"), ("claim", "claim"), ("subject", "about")),
            *columns(("verdict", "verdict")),
            *interval("value", "value", "number"),
            *columns(("unit", "unit"), ("border", "holds if")),
            *columns(("n", "n", "count"), ("of", "of")),
            *aside(columns(("printed", "printed"))),
            *aside(columns(("first", "first", "number"), ("second", "second", "number"))),
            *aside(columns(("compared", "first, second"))),
            *aside(columns(("printed_first", "printed first", "number"))),
            *aside(columns(("printed_second", "printed second", "number"))),
            *aside(columns(("note", "note"))),
        ),
        rows=tuple(_row(source, one) for source, one in found),
        notes=notes,
    )


def _row(source: str, one: ClaimFinding) -> tuple[Value, ...]:
    said = one.statement
    lacks = said.lacks if source == PAPERS else ""
    return (
        source,
        one.claim,
        one.subject,
        one.verdict.value,
        *map(_nan_to_none, (one.value, one.low, one.high)),
        one.unit,
        said.border,
        one.n,
        one.of,
        said.printed,
        _nan_to_none(one.first),
        _nan_to_none(one.second),
        one.compared,
        one.printed_first,
        one.printed_second,
        "; ".join(part for part in (one.note, f"not published: {lacks}" if lacks else "") if part),
    )


def _nan_to_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def _not_asked(asked: set[str]) -> tuple[str, ...]:
    missing = [one.name for one in STATEMENTS if one.name not in asked]
    if not missing:
        return ()
    return (f"Not asked, because these runs do not have what it needs: {', '.join(missing)}.",)


def _definitions() -> Table:
    return Table(
        name="claims_defined",
        title="What the claims mean",
        about=_DEFINED,
        columns=columns(
            ("claim", "claim"),
            ("paper", "paper"),
            ("says", "statement"),
            ("value", "value"),
            ("border", "holds if"),
            ("printed", "printed"),
            ("lacks", "not published"),
        ),
        rows=tuple(
            (one.name, one.paper, one.says, one.value, one.border, one.printed, one.lacks)
            for one in STATEMENTS
        ),
    )
