"""The data card of a corpus: what it is, its fields, how many, how it was made and its limits."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from kernelbenchx import __version__
from kernelbenchx.analysis.noise import FLOOR
from kernelbenchx.analysis.steps import CHANGES, TIE, Kind
from kernelbenchx.export.corpus import CorpusCounts
from kernelbenchx.export.transition import KernelTransition
from kernelbenchx.store.generation_note import NOTE
from kernelbenchx.store.raw_records import reading

_MEANINGS = {
    Kind.FAIL_TO_PASS: "not correct before, correct after",
    Kind.PASS_TO_FAIL: "correct before, not correct after",
    Kind.CALL_FAIL_TO_PASS: "did not run before, wrong after",
    Kind.CALL_PASS_TO_FAIL: "wrong before, does not run after",
    Kind.FASTER: "correct in both, and faster by more than noise",
    Kind.SLOWER: "correct in both, and slower by more than noise",
    Kind.SAME_CODE: "left out: the same code again, whatever was measured of it",
    Kind.STILL_FAILS: "left out: wrong in both, or run in neither",
    Kind.NO_TIMES: "left out: correct in both, without two times that can be trusted",
    Kind.OTHER_TIER: "left out: correct in both, timed in two different ways",
    Kind.WITHIN_NOISE: "left out: correct in both, no change of speed beyond noise",
}


@dataclass(frozen=True)
class CorpusExport:
    """What a data card describes."""

    file: str
    form: str
    runs: Sequence[Path]
    evaluations: int
    counts: CorpusCounts


def data_card(made: CorpusExport) -> str:
    """In Markdown."""
    parts = [
        _describe_corpus(made),
        _table("Steps", ("kind", "steps", "what it means"), _kinds(made.counts)),
        _table("By author", ("GPU", "method", "model", *CHANGES), _authors(made.counts)),
        _table("Fields", ("field", "type", "what it holds"), _fields(KernelTransition)),
        _describe_provenance(made),
        _LIMITS,
    ]
    return "\n".join(parts)


def _describe_corpus(made: CorpusExport) -> str:
    return f"""# Steps between kernels: {_cell(made.file)}

Every row is a step of one author at one task: two kernels that follow each other, both sources, the
difference between them, and what the evaluation said of each. Only steps that changed something are
here: a kernel was repaired, was broken, or became faster or slower.

- Rows: {made.counts.row_count:,}
- Tasks: {len(made.counts.tasks):,}
- Format: {_FORMS[made.form]}
"""


_FORMS = {"jsonl": "JSON lines, in UTF-8", "parquet": "Parquet"}


def _kinds(counts: CorpusCounts) -> Iterator[tuple[str, ...]]:
    for kind, words in _MEANINGS.items():
        yield f"`{kind}`", f"{counts.kinds[kind]:,}", words


def _authors(counts: CorpusCounts) -> Iterator[tuple[str, ...]]:
    found: dict[tuple[str, str, str], Counter[Kind]] = {}
    for (*name, kind), many in counts.authors.items():
        found.setdefault((name[0], name[1], name[2]), Counter())[kind] = many
    for author in sorted(found):
        yield (*author, *(f"{found[author][kind]:,}" for kind in CHANGES))


def _fields(kind: type[msgspec.Struct], within: str = "") -> Iterator[tuple[str, ...]]:
    """Both sides have the same fields, which stand here once."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    for one in info.fields:
        words, inner = "", one.type
        if isinstance(inner, inspect.Metadata):
            words, inner = str((inner.extra_json_schema or {}).get("description", "")), inner.type
        yield f"`{within}{one.encode_name}`", _word(inner), words
        part = inner.item_type if isinstance(inner, inspect.VarTupleType) else inner
        if isinstance(part, inspect.StructType) and not (within == "" and one.name == "after"):
            many = "[]" if part is not inner else ""
            yield from _fields(part.cls, f"{within}{one.encode_name}{many}.")


def _word(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.UnionType):
        return " or ".join(map(_word, kind.types))
    if isinstance(kind, inspect.VarTupleType):
        return "list"
    return {
        inspect.StrType: "text",
        inspect.IntType: "integer",
        inspect.FloatType: "number",
        inspect.BoolType: "boolean",
        inspect.NoneType: "null",
    }.get(type(kind), "record")


def _describe_provenance(made: CorpusExport) -> str:
    runs = "\n".join(f"- {_run(path)}" for path in made.runs)
    floors = "\n".join(f"- {_cell(card)}: {_floor(at)}" for card, at in _floors_by_gpu(made.counts))
    return f"""## How it was made

`kbx export transitions`, kernelbenchx {__version__}, from {made.evaluations:,} evaluations of

{runs}

A step leads to a kernel from the one it names as its parent. If that was not judged, it leads from
the attempt before it in its line: the same task, method, model, sample and GPU, in an earlier
round. Void evaluations are skipped. Two sources that differ
only in comments and layout are never a step.
Speed is compared over eager by device time. `faster` and `slower` need intervals that lie apart, a
change of more than {TIE:.1%}, and one beyond the noise floor: what {FLOOR:.0%} of the changes of
identical code stay under when it is measured again on that GPU.

{floors or "- no GPU"}
"""


def _floors_by_gpu(counts: CorpusCounts) -> list[tuple[str, float | None]]:
    return sorted(counts.floors.items())


def _floor(floor: float | None) -> str:
    return f"{floor:.2%}" if floor is not None else "no source was measured twice, so none is known"


def _run(path: Path) -> str:
    with reading(path) as run:
        noted = run.read_note(NOTE)
    if not noted:
        return f"`{_cell(str(path))}`"
    begun: dict[str, Any] = msgspec.json.decode(noted)
    options = ", ".join(f"{name} {value}" for name, value in begun.get("options", {}).items())
    said = f"method {begun.get('method')} ({options}), model {begun.get('model')}"
    return f"`{_cell(str(path))}`: {_cell(said)}"


def _table(title: str, head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [f"## {title}\n", _line(head), _line(["---"] * len(head)), *map(_line, rows)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(words: str) -> str:
    """Names are untrusted: nothing in them ends a cell or becomes markup."""
    plain = " ".join(words.split())
    return plain.replace("|", "\\|").replace("<", "&lt;")


_LIMITS = """## Limits

- Verdicts of the interpreter are provisional, as `provisional` says, and come without times.
- A correct kernel is one that no case of its task contradicts. `composition` says whether it is
  Triton alone; a step between a pure and a mixed kernel may be faster for that reason.
- Steps of one task and one author depend on each other. Split by task, not by row.
- Authors chose what to change after reading feedback: this is not a random sample of edits.
- Sources and messages are as models and compilers wrote them. Do not run them outside a sandbox.
- Statements of tasks are not here: `kbx show TASK` prints them. Prompts and replies are not here
  either: `kbx export recording RUN` writes them.

## Licence

kernelbenchx is under Apache-2.0. That says nothing about this file: its sources were written by
the models named above or by the authors of submissions. Their terms decide what you may do with
it. Choose a licence before you publish it.
"""
