"""Record what each task draws, judges and shows, as hashes without any name of the code.

    python scripts/task_fingerprints.py --out FILE [--seeds 20] [--jobs 2] [CATEGORY/NAME...]

`scripts/resign_certificates.py` runs this on two revisions and compares the files. Each revision
runs its own copy, which calls functions by the names they have there. Both copies must hash alike:
whoever changes what is hashed raises FORMAT, and the two files are then refused.

For each task and seed it hashes the calls (names of cases, scopes, arguments with their dtypes,
strides and offsets), what is true of them, and their budgets with verdicts on three answers. The
first seed adds the statement, the witness with its automatic mutants, declared mutants and sabotage
with their answers, and mutants of a problem's graph. Calls are drawn as a run draws them, so timed
sizes and calls beyond 2^31 elements are recorded by name and cost, not drawn. Verdicts are recorded
for VERDICT_SEEDS seeds, and so are the budgets of KernelBench problems, which take minutes.

Names of modules, functions, classes and fields are not hashed. Names that results keep are: cases,
arguments, mutants. What was recorded stays in a cache, so that a stopped run continues.
"""

import argparse
import dataclasses
import enum
import hashlib
import json
import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

import kernelbenchx
from kernelbenchx import catalog
from kernelbenchx.catalog.digests import certificate_digest, evaluation_digest, mutation_digest
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.mutation.engine import mutants as mutants_of_source
from kernelbenchx.certify.mutation.summary import known_equivalents
from kernelbenchx.certify.problems.certifying import MOST_MUTANTS, ORDERS
from kernelbenchx.certify.problems.judged_case import JudgedCase, values_of
from kernelbenchx.certify.problems.trivial_answers import kill_trivial
from kernelbenchx.certify.task_form import form_problems
from kernelbenchx.certify.valid_outputs import rounded_truth
from kernelbenchx.certify.wrong_answers import run_answer
from kernelbenchx.evaluate.calls import (
    DrawnCase,
    ablated_cases,
    cases_of,
    drawn_cases,
    repeated_case,
)
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence, Rung
from kernelbenchx.spec.graph_mutants import mutants_of
from kernelbenchx.spec.modules import made_from
from kernelbenchx.spec.mutants import Mutant, MutantRefusal, Patch
from kernelbenchx.spec.outputs import flatten
from kernelbenchx.spec.problem import Problem
from kernelbenchx.spec.sabotage import SABOTAGES
from kernelbenchx.spec.task import Task

FORMAT = 1
"""Of what is hashed; files of different formats are not compared."""
SEEDS = 20
"""From 1 on: those that automatic mutants were tried on."""
VERDICT_SEEDS = 3
"""A budget of a KernelBench problem is a dozen runs of its module, and a law of random numbers is
tested by thousands of statistics. Both are the same functions under every seed."""
CACHE = Path.home() / ".cache" / "kbx" / "resign"
PACKAGE = Path(kernelbenchx.__file__).parent
_RUNGS: tuple[Rung, ...] = ("interpreter", "cuda")
_FAILURES = (RuntimeError, ValueError, TypeError, IndexError, AttributeError)
_PER_PROCESS = 40
"""Units before a worker process is replaced: drawn calls are kept in it."""

Parts = dict[str, str]
"""A hash for each kind of content."""
Unit = tuple[str, int]


def hash_of(*values: Any) -> str:
    """Of values of any depth; where tensors share a storage counts."""
    found = hashlib.sha256()
    storages: dict[int, int] = {}
    for token in _tokens(values, storages):
        found.update(len(token).to_bytes(8, "big"))
        found.update(token)
    return found.hexdigest()


def _tokens(value: Any, storages: dict[int, int]) -> Iterator[bytes | memoryview]:
    if isinstance(value, torch.Tensor):
        yield from _tensor_tokens(value, storages)
    elif isinstance(value, enum.Enum):
        yield from _tokens(value.value, storages)
    elif isinstance(value, Mapping):
        yield from _tokens(list(value.items()), storages)
    elif isinstance(value, set | frozenset):
        yield from _tokens(sorted(value), storages)
    elif isinstance(value, tuple | list):
        kind = "list" if isinstance(value, list) else "tuple"
        yield f"{kind} {len(value)}".encode()
        for one in value:
            yield from _tokens(one, storages)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [getattr(value, field.name) for field in dataclasses.fields(value)]
        yield from _tokens(["object", *fields], storages)
    elif type(value).__module__.partition(".")[0] in ("builtins", "torch") and not callable(value):
        yield f"{type(value).__name__} {value!r}".encode()
    else:
        raise TypeError(f"no hash of a {type(value).__name__}: add it to {Path(__file__).name}")


def _tensor_tokens(value: torch.Tensor, storages: dict[int, int]) -> Iterator[bytes | memoryview]:
    value = value.detach().resolve_conj().resolve_neg()
    storage = value.untyped_storage()
    number = storages.setdefault(storage.data_ptr(), len(storages)) if storage.nbytes() else -1
    place = (tuple(value.shape), value.stride(), value.storage_offset(), number)
    yield f"tensor {value.dtype} {place}".encode()
    # Copied: a tensor of one element may be contiguous with any stride, and then has no view.
    flat = torch.empty(value.numel(), dtype=value.dtype).copy_(value.flatten())
    yield memoryview(flat.view(torch.uint8).numpy()) if value.numel() else b""


def record_task(name: str, seed: int, *, first: bool) -> Parts:
    """What one seed draws; the first one adds what does not depend on it."""
    task = catalog.load(name)
    drawn = drawn_cases(name, seed)
    extra = (*ablated_cases(name, seed), repeated_case(name, seed))
    parts = {
        "calls": hash_of([_describe_call(one) for one in (*drawn, *extra)]),
        "truths": hash_of([_describe_truth(one) for one in (*drawn, *extra)]),
    }
    if seed <= VERDICT_SEEDS:
        parts["verdicts"] = hash_of([_describe_verdicts(task, one) for one in drawn])
    elif isinstance(task.contract, Close) and not isinstance(task, Problem):
        parts["budgets"] = hash_of([_budgets(task.contract, one, "cuda") for one in drawn])
    return parts | (_record_wrong_answers(name, task, drawn, seed) if first else {})


def _describe_call(one: DrawnCase) -> list[Any]:
    call = one.call
    given = [call.args, dict(call.kwargs), call.init, dict(call.state)]
    return [*_describe_case(one.case), one.needs, given, list(made_from(call).values())]


def _describe_case(case: Case) -> list[Any]:
    return [case.name, case.calls, case.corner, sorted(one.value for one in case.needs or ())]


def _describe_truth(one: DrawnCase) -> list[Any]:
    native = one.truth.native
    leaves = [(leaf.kind, leaf.value) for leaf in native.leaves]
    return [leaves, native.aliases, native.returned, one.truth.exact]


def _budgets(contract: Close, one: DrawnCase, rung: Rung) -> tuple[torch.Tensor, ...]:
    dtypes = [leaf.value.dtype for leaf in one.truth.native.leaves]
    return contract.budgets(one.call, one.truth.exact, dtypes, rung)


def _describe_verdicts(task: Task, one: DrawnCase) -> list[Any]:
    """Budgets where there are any, and of every contract what it says of three answers."""
    contract, truth = task.contract, one.truth.exact
    native = tuple(leaf.value for leaf in one.truth.native.leaves)
    found: list[Any] = []
    # Laws of random numbers are slow, and what a rung allows there is an option of the contract.
    for rung in _RUNGS if contract.calls == 1 else _RUNGS[-1:]:
        budgets = _budgets(contract, one, rung) if isinstance(contract, Close) else ()
        found += budgets
        for answer in (native, *(tuple(map(change, native)) for change in (_spoil, _flip_zeros))):
            if isinstance(contract, Close):
                it = contract.judge_with_budgets(answer, truth, budgets, rung)
            else:
                outputs = (answer,) * task.calls(one.case)
                it = contract.judge(Evidence(one.call, outputs, truth, native, rung))
            found += [it.ok, it.worst, it.output, it.index, it.bad, it.errors]
    return found


def _spoil(value: torch.Tensor) -> torch.Tensor:
    if value.dtype == torch.bool:
        return ~value
    if value.dtype.is_floating_point or value.dtype.is_complex:
        return (value.to(torch.promote_types(value.dtype, torch.float32)) * 1.001).to(value.dtype)
    return value + 1


def _flip_zeros(value: torch.Tensor) -> torch.Tensor:
    """Other signs, where a contract may ask for them."""
    inexact = value.dtype.is_floating_point or value.dtype.is_complex
    return torch.where(value == 0, -value, value) if inexact else value


def _record_wrong_answers(name: str, task: Task, drawn: tuple[DrawnCase, ...], seed: int) -> Parts:
    source = witness_source(name) if catalog.witness_path(name).is_file() else ""
    automatic = [(one.description, one.source) for one in mutants_of_source(source)]
    parts = {
        "statement": hash_of(statement(name).text()),
        "task": hash_of(_describe_task(task)),
        "witness": hash_of(source),
        "automatic mutants": hash_of(automatic, known_equivalents(name, source)),
    }
    if isinstance(task, Problem):
        return parts | (_record_problem(task, drawn, seed) if not task.unsound else {})
    mutants = [_describe_mutant(task, one, drawn) for one in task.wrong_answers]
    parts["mutants"] = hash_of(mutants)
    parts["sabotage"] = hash_of(_describe_sabotages(task, drawn))
    return parts | {"form": hash_of(not form_problems(name, seed))}


def _describe_task(task: Task) -> list[Any]:
    signature = [
        (one.name, one.kind.name, None if one.default is one.empty else [one.default])
        for one in task.signature.parameters.values()
    ]
    timed = [
        (*_describe_case(case), float(cost.flops), float(cost.bytes))
        for case in task.timings
        for cost in (task.cost(**case.params),)
    ]
    huge = [] if task.huge is None else [task.huge.case().name, task.huge.columns]
    contract = [task.contract.calls, task.contract.needs_truth, _options(task.contract)]
    plain = [task.entry, task.form, task.writes, task.inert, task.randomness, task.data_movement]
    published = [task.audit, task.languages, task.difficulty, task.dtypes]
    promises = [promise.text for promise in task.promises]
    own: list[Any] = []
    if isinstance(task, Problem):
        own = [task.level, task.number, task.precision, task.unsound, task.weights]
    return [signature, timed, huge, contract, plain, published, promises, own]


def _options(value: Any) -> Any:
    """The numbers and words in a contract; what functions in it do shows in budgets."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [_options(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, tuple | list):
        return [_options(one) for one in value]
    if isinstance(value, Mapping):
        return _options(list(value.items()))
    return "a function" if callable(value) else value


def _describe_mutant(task: Task, mutant: Mutant | Patch, drawn: Iterable[DrawnCase]) -> list[Any]:
    named = [mutant.name, sorted(mutant.covers)]
    if isinstance(mutant, Patch):
        return [*named, mutant.old, mutant.new]
    return [*named, *(_steady_answer(task, mutant, one.call) for one in drawn)]


def _steady_answer(task: Task, mutant: Mutant, call: Call) -> str:
    """A mutant may return memory that was never written: such an answer is not compared."""
    one, two = (_answer_of(task, mutant, call) for _ in range(2))
    return one if one == two else "another answer each time"


def _answer_of(task: Task, mutant: Mutant, call: Call) -> str:
    try:
        found = run_answer(task, mutant.answer, call, 0)
    except MutantRefusal:
        return "refused"
    except _FAILURES:
        return "fails"
    values = [(leaf.kind, leaf.value) for leaf in flatten(found.result)]
    return hash_of(values, found.after.tensors(), found.aliases)


def _describe_sabotages(task: Task, drawn: Iterable[DrawnCase]) -> list[Any]:
    right = [rounded_truth(task, one)[0] for one in drawn]
    others = [tuple(value.flip(0) if value.dim() else value for value in one) for one in right]
    pairs = list(zip(right, others, strict=True))
    return [
        [one.name, one.must_fail(task.contract), [one.attempt(*pair) for pair in pairs]]
        for one in SABOTAGES
    ]


def _record_problem(task: Problem, drawn: tuple[DrawnCase, ...], seed: int) -> Parts:
    """Trivial answers with what rejects them, honest orders of summation, mutants of the graph."""
    kills = kill_trivial([JudgedCase(task, one) for one in drawn], seed)
    honest = []
    for mode in ORDERS.values():
        with mode():
            honest += [values_of(task.native(one.call).leaves) for one in drawn]
    call = drawn[0].call
    mutants = []
    for mutant in mutants_of(task.reference, call.widen(), MOST_MUTANTS):
        answer: Any
        try:
            with mutant.mode():
                answer = values_of(task.exact(call).leaves)
        except _FAILURES:
            answer = "fails"
        mutants.append([mutant.name, answer])
    return {
        "trivial answers": hash_of([(one.name, one.killed, one.by) for one in kills]),
        "honest answers": hash_of(honest),
        "graph mutants": hash_of(mutants),
    }


def record_all(names: Iterable[str], seeds: int, jobs: int, cache: Path) -> dict[str, Any]:
    """All of them, with what is known from the cache; units are kept as they are done."""
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / "fingerprints.jsonl"
    known = _read_cache(file)
    keys = {(name, seed): _key(name, seed) for name in names for seed in range(1, seeds + 1)}
    missing = [unit for unit, key in keys.items() if key not in known]
    with file.open("a", encoding="utf-8") as kept:
        for number, (unit, parts, seconds) in enumerate(_record_units(missing, jobs), 1):
            known[keys[unit]] = parts
            line = {"key": keys[unit], "unit": unit, "cpu_s": round(seconds, 2), "parts": parts}
            if "error" not in parts:
                kept.write(json.dumps(line) + "\n")
                kept.flush()
            if not number % 50 or number == len(missing):
                print(f"  {number} of {len(missing)} done, {unit[0]}", file=sys.stderr, flush=True)
    found: dict[str, Any] = {}
    for name in names:
        digests = {"certificate": certificate_digest(name), "mutation": mutation_digest(name)}
        found[name] = {**digests, "seeds": {}}
    for (name, seed), key in keys.items():
        found[name]["seeds"][str(seed)] = known[key]
    return {"format": FORMAT, "package": str(PACKAGE), "tasks": found}


def _key(name: str, seed: int) -> str:
    parts = [_machinery(), certificate_digest(name), evaluation_digest(name), name, str(seed)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


_machinery_digest: list[str] = []


def _machinery() -> str:
    """Of torch, of the catalogue, and of all that this program imports from the package."""
    if not _machinery_digest:
        files = (getattr(one, "__file__", None) or "" for one in tuple(sys.modules.values()))
        late = Path(catalog.__file__).parent.glob("*.py")  # some are imported when a task is read
        own = sorted({*late, *(Path(one) for one in files if Path(one).is_relative_to(PACKAGE))})
        texts = [torch.__version__, *(one.read_text("utf-8") for one in (Path(__file__), *own))]
        _machinery_digest.append(hashlib.sha256("\0".join(texts).encode()).hexdigest())
    return _machinery_digest[0]


def _read_cache(file: Path) -> dict[str, Parts]:
    found: dict[str, Parts] = {}
    for line in file.read_text("utf-8").splitlines() if file.is_file() else ():
        try:
            one = json.loads(line)
        except ValueError:
            continue  # cut by a stop
        found[one["key"]] = one["parts"]
    return found


def _record_units(units: list[Unit], jobs: int) -> Iterator[tuple[Unit, Parts, float]]:
    if jobs == 1:
        yield from map(_record_unit, units)
        return
    forked = multiprocessing.get_context("fork")
    with forked.Pool(jobs, maxtasksperchild=_PER_PROCESS) as pool:
        yield from pool.imap_unordered(_record_unit, units)


def _record_unit(unit: Unit) -> tuple[Unit, Parts, float]:
    """One thread, so that sums are added in one order."""
    name, seed = unit
    threads, started = torch.get_num_threads(), time.process_time()
    torch.set_num_threads(1)
    try:
        parts = record_task(name, seed, first=seed == 1)
    except Exception as error:  # noqa: BLE001 - one broken task does not stop the others
        parts = {"error": f"{type(error).__name__}: {error}"}
    finally:
        torch.set_num_threads(threads)
        for kept in (cases_of, drawn_cases, ablated_cases, repeated_case):
            kept.cache_clear()
    return unit, parts, time.process_time() - started


def main() -> None:
    """Record tasks into one file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="all tasks of the catalogue without one")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="0: only digests of the sources")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=CACHE)
    given = parser.parse_args()
    names = [name for name in catalog.names() if not catalog.is_added(name)]
    wanted = [name for name in given.names or names if catalog.path_of(name).is_file()]
    found = record_all(wanted, given.seeds, given.jobs, given.cache)
    given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
