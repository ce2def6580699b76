"""Tables 2 to 4 of the KernelBench-X paper, by category, for any run beside what it prints."""

from collections.abc import Container, Iterator, Mapping, Sequence

from kernelbenchx.analysis.frame import AttemptFrame, CodedColumn, Flags, cross_columns
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters
from kernelbenchx.analysis.paper_judgements import BY_RULE, CALLED, JUDGEMENTS, Judgement, timed_by
from kernelbenchx.analysis.paper_tables import (
    ABOUT,
    SOURCE,
    paper_notes,
    rate_cells,
    rate_columns,
    source_of,
    tasks_of,
)
from kernelbenchx.analysis.published_data import METHODS, TABLE_2, TABLE_3, TABLE_4, TASKS
from kernelbenchx.analysis.table import Column, Table, Value, aside, columns

_AS_ABOVE = "The first table says by whom a kernel is judged. "
_PERCENT = "percent"


def tables(frame: AttemptFrame) -> list[Table]:
    """All three; `frame` has kernels for the paper's tasks."""
    notes = paper_notes(frame)
    return [
        _conversion(frame, notes),
        _by_category(frame, notes),
        _compiled_by_category(frame, notes),
    ]


def _conversion(frame: AttemptFrame, notes: tuple[str, ...]) -> Table:
    rows = tuple(_conversion_rows(frame))
    return Table(
        name="paper_table_2",
        title="Table 2: from compiled to correct, by category",
        about=(
            ABOUT + _AS_ABOVE + "All methods together; the paper prints six categories, as means "
            "of four methods."
        ),
        columns=(
            *SOURCE,
            *columns(("category", "category"), ("judged_by", "judged by")),
            *columns(("tasks", "tasks", "count"), ("of", "of", "count")),
            *rate_columns(),
            *columns(
                ("paper_compiled", "paper: compile", _PERCENT),
                ("paper_correct", "paper: correct", _PERCENT),
                ("paper_conversion", "paper: ratio", _PERCENT),
            ),
        ),
        rows=rows,
        notes=notes,
        glance=_glance([row[2] for row in rows], _shown_first(frame)),
    )


def _glance(judged_by: Sequence[Value], wanted: Container[Value]) -> tuple[int, ...]:
    """Rows of what is shown first; where these are all, nothing is left out."""
    shown = [place for place, name in enumerate(judged_by) if name in wanted]
    return tuple(shown) if 0 < len(shown) < len(judged_by) else ()


def _shown_first(frame: AttemptFrame) -> set[str]:
    """The paper's rule and the chosen standard."""
    return {BY_RULE.name, *(one.name for one in timed_by(frame))}


def _conversion_rows(frame: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    judged = [(one, one.flag_judged(frame)) for one in JUDGEMENTS]
    for card, category, mine in _by_paper_category(frame, frame.card):
        for one, known in judged:
            own = frame.pick(mine & known)
            if len(own):
                printed = TABLE_2.get(category)
                beside = tuple(part / 100.0 for part in printed) if printed else (None,) * 3
                head = source_of(card[0]), category, one.name, tasks_of(own), TASKS[category]
                yield *head, *rate_cells(own, one), *beside


def _by_paper_category(
    frame: AttemptFrame, *by: CodedColumn
) -> Iterator[tuple[tuple[str, ...], str, Flags]]:
    """Labels of a group, a category in the paper's order, and its attempts."""
    category = frame.encode_by(lambda one: one.category)
    groups = cross_columns(*by)
    for row, label in enumerate(groups.labels):
        for name in TASKS:
            if name in category.labels:
                mine = (groups.codes == row) & (category.codes == category.labels.index(name))
                if mine.any():
                    yield label, name, mine


def _by_category(frame: AttemptFrame, notes: tuple[str, ...]) -> Table:
    first = _shown_first(frame)
    return Table(
        name="paper_table_3",
        title="Table 3: correct, by category and method",
        about=ABOUT + _AS_ABOVE + "The last columns are the paper's methods.",
        columns=(
            *_category_columns(),
            *(column for one in JUDGEMENTS for column in _judged_columns(one, first)),
            *_paper_columns(),
        ),
        rows=tuple(_category_rows(frame, JUDGEMENTS, TABLE_3, compiled=False)),
        notes=notes,
    )


def _compiled_by_category(frame: AttemptFrame, notes: tuple[str, ...]) -> Table:
    """By our standards alike: what runs in every call."""
    return Table(
        name="paper_table_4",
        title="Table 4: compiled, by category and method",
        about=(
            ABOUT + "`the paper's rule`: every call of its test ended. `called`: the kernel ran "
            "and ended in every call here. The last columns are the paper's methods."
        ),
        columns=(
            *_category_columns(),
            *interval(*_name_judgement(BY_RULE), _PERCENT),
            *interval("called", "called", _PERCENT),
            *_paper_columns(),
        ),
        rows=tuple(_category_rows(frame, (BY_RULE, CALLED), TABLE_4, compiled=True)),
        notes=notes,
    )


def _judged_columns(judgement: Judgement, first: Container[Value]) -> tuple[Column, ...]:
    found = interval(*_name_judgement(judgement), _PERCENT)
    return found if judgement.name in first else aside(found)


def _name_judgement(judgement: Judgement) -> tuple[str, str]:
    return ("rule" if judgement is BY_RULE else judgement.name), judgement.name


def _category_columns() -> tuple[Column, ...]:
    return (
        *SOURCE,
        *columns(("method", "method"), ("category", "category")),
        *columns(("tasks", "tasks", "count"), ("of", "of", "count")),
    )


def _paper_columns() -> tuple[Column, ...]:
    return columns(*((f"paper_{name}", name, _PERCENT) for name in METHODS))


def _category_rows(
    frame: AttemptFrame,
    judgements: Sequence[Judgement],
    printed: Mapping[str, Sequence[float]],
    *,
    compiled: bool,
) -> Iterator[tuple[Value, ...]]:
    judged = [(one, one.flag_judged(frame)) for one in judgements]
    for (card, author), category, mine in _by_paper_category(frame, frame.card, frame.author):
        cells: list[Value] = []
        for one, known in judged:
            own = frame.pick(mine & known)
            hits = one.flag_compiled(own) if compiled else one.right(own)
            cells += ends(Clusters(own.task.codes).shares(hits), 0) if len(own) else (None,) * 3
        head = source_of(card), author, category, tasks_of(frame.pick(mine)), TASKS[category]
        yield *head, *cells, *(part / 100.0 for part in printed[category])
