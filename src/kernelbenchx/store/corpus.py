"""The public corpus of GEAK's iterations, read as a run: kernels before and after changes.

It lies in the repository of KernelBench-X as `data/kbx_corpus/all_records.jsonl`. A record holds a
kernel before and after a round in which something changed. Nothing of it is part of this package.
"""

import atexit
import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec

from kernelbenchx import catalog
from kernelbenchx.core.environment import Environment, Isolation
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Composition, Correct, Outcome, Reason, Stage, Wrong
from kernelbenchx.core.submission import Origin
from kernelbenchx.store.corpus_times import times_of

RECORDS = "all_records.jsonl"
GPU = "NVIDIA GeForce RTX 5090"
NOTE = (
    "{}: the public corpus of GEAK's iterations holds only tasks that changed: tasks that stayed "
    "as they were and tasks that still fail are absent, so rates of it mean nothing"
)
_CREATED = "2026-01-01T00:00:00+00:00"
_SEPARATOR = "#" * 146
"""Between a kernel and its test, in the published files."""
_MOVED = {"Broadcast/expand_where": "Index/expand_where"}
"""Published later in another category."""
OLDER_LIST = frozenset(
    {
        *("tile_clamp", "fused_sigmoid_argmax", "fused_sigmoid_conv2d", "fused_silu_batch_norm"),
        *("fused_softmax_mul", "gather", "least_squares_qr", "l1_loss", "autocast", "exp"),
        *("mul_int8", "sqrt", "scaled_add_dot", "scaled_add_norm", "tensordot", "max_pool2d"),
        *("logsumexp", "max"),
    }
)
"""Tasks that are not among the 176 of the paper: left out, as the paper's numbers leave them."""
_ERROR = re.compile(r"[\w.]*(Error|Exception|Exit)\b")
"""The last line of a traceback, unless the published text was cut before it."""
_REASONS = (
    ("CompilationError", Reason.COMPILE_ERROR),
    ("SyntaxError", Reason.LOAD_ERROR),
    ("IndentationError", Reason.LOAD_ERROR),
    ("OutOfMemory", Reason.MEMORY),
)


class CorpusState(msgspec.Struct, frozen=True):
    """What the published harness said of a kernel."""

    call_ok: bool
    exe_ok: bool
    perf_ok: bool
    dtype: str = ""
    runtime_ms: float | None = None
    gbs: float | None = None
    tflops: float | None = None
    speedup: float | None = None
    error: str = ""


class CorpusRecord(msgspec.Struct, frozen=True):
    """One change."""

    task_id: str
    from_round: str
    to_round: str
    before: CorpusState
    after: CorpusState
    before_code: str = ""
    after_code: str = ""


def is_corpus(path: Path) -> bool:
    """Whether a path names the corpus: its folder, or its file."""
    return path.name == RECORDS if path.is_file() else (path / RECORDS).is_file()


def corpus_notes(runs: Sequence[Path]) -> tuple[str, ...]:
    """What to know of those runs that are the corpus."""
    return tuple(NOTE.format(run) for run in runs if is_corpus(run))


@cache
def convert_corpus(path: Path) -> Path:
    """A folder with the corpus as a run, for as long as this process lives."""
    from kernelbenchx.store.database import writing
    from kernelbenchx.store.layout import RunFolder

    file = path if path.is_file() else path / RECORDS
    folder = Path(tempfile.mkdtemp(prefix="kbx-corpus-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    found = list(_evaluations(file))
    if not found:
        raise BadInput(f"{file} holds no record of the corpus")
    with writing(RunFolder(folder)) as database:
        for key, evaluation, source in found:
            database.append(key, evaluation, source)
        # Scopes are ours: nothing is known of core cases in the published tests.
        database.connection.execute(
            "UPDATE evaluations SET basic_correct = NULL, core_correct = NULL"
        )
        database.connection.execute("UPDATE evaluations SET created = ?", (_CREATED,))
        database.connection.commit()
    return folder


def _evaluations(file: Path) -> Iterator[tuple[str, Evaluation, str]]:
    """Each kernel of a task and round once."""
    seen: set[str] = set()
    for record in _records(file):
        sides = (
            (record.from_round, record.before, record.before_code),
            (record.to_round, record.after, record.after_code),
        )
        for named, state, code in sides:
            made = _evaluation(record.task_id, named, state, code)
            key = hashlib.sha256(f"{made.task} {made.origin.round}".encode()).hexdigest()
            if key not in seen and made.task.partition("/")[2] not in OLDER_LIST:
                seen.add(key)
                yield key, made, _kernel(code)


def _records(file: Path) -> Iterator[CorpusRecord]:
    number = 0
    try:
        with file.open("rb") as lines:
            for line in lines:
                number += 1
                if line.strip():
                    yield msgspec.json.decode(line, type=CorpusRecord)
    except msgspec.DecodeError as error:
        raise BadInput(f"{file}, line {number}: not a record of the corpus: {error}") from error
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror}") from error


def _evaluation(task_id: str, named: str, state: CorpusState, code: str) -> Evaluation:
    task, number = _task(task_id), named.rpartition("_")[2]
    source = _kernel(code)
    return Evaluation(
        submission=f"{task.partition('/')[2]}__round{number}",
        task=task,
        digest=hashlib.sha256(source.encode()).hexdigest(),
        origin=Origin(method="GEAK", model="DeepSeek-V3.2-Chat", round=number),
        outcome=_outcome(state),
        composition=Composition.MIXED,
        stage=Stage.PERF if state.perf_ok else Stage.EXE if state.call_ok else Stage.CALL,
        provisional=False,
        device="cuda",
        isolation=Isolation(level="none"),
        checks=False,
        seed=0,
        seconds=0.0,
        environment=Environment(
            harness="KernelBench-X", python="3.13", torch="2.10.0", triton="3.6.0",
            machine="published", gpu=GPU,
        ),
        performance=times_of(state, GPU) if state.exe_ok else None,
        flags=("composition not recorded: shown as mixed", "judged by the published harness"),
    )  # fmt: skip


def _task(task_id: str) -> str:
    """As the catalogue spells it, also of tasks that it does not have."""
    plain = task_id.removesuffix(".py")
    category, _, name = _MOVED.get(plain, plain).partition("/")
    folders = {published: folder for folder, published in catalog.PUBLISHED_CATEGORIES.items()}
    return f"{folders.get(category, category.lower())}/{name}"


def _outcome(state: CorpusState) -> Outcome:
    if state.exe_ok:
        return Correct(cases=0, worst=0.0)
    if state.call_ok:
        detail = "the answers of the published test differ from the reference's"
        return Wrong(case="published test", reason=Reason.BAD_VALUES, detail=detail)
    lines = [line.strip() for line in state.error.splitlines() if line.strip()]
    reason = next((one for word, one in _REASONS if word in state.error), Reason.RUNTIME_ERROR)
    named = [line for line in lines if _ERROR.match(line)]
    detail = (named or lines or ["no message"])[-1]
    return Broken(stage=Stage.CALL, reason=reason, detail=detail)


def _kernel(code: str) -> str:
    return code.partition(_SEPARATOR)[0].rstrip() + "\n"
