"""Calls and answers of published problem files, which are foreign code, in their own children.

What comes back is checked here and trusted for that problem alone.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from types import TracebackType
from typing import Any, TypeVar

import torch

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Stage, Void
from kernelbenchx.problem_worker.problem_source import ProblemSource
from kernelbenchx.runner import sanitize
from kernelbenchx.runner.endings import Ending, classify_ending
from kernelbenchx.runner.levels import WorkerIsolation
from kernelbenchx.runner.scratch import OversizedResult, Scratch, read_result
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.spec.imported_problem import Answer, AnsweredCall, BadProblem, CallRequest, Probe
from kernelbenchx.spec.outputs import Leaf
from kernelbenchx.spec.problem import DTYPES
from kernelbenchx.worker.frames import Frame, Malformed, pack, unpack
from kernelbenchx.worker.limits import MIB, Limits
from kernelbenchx.worker.values import BadValue, Decoder, Geometry, owned_bytes

START = Start(
    main="kernelbenchx.problem_worker.serve:serve",
    packages=("core", "worker", "spec", "problem_worker"),
)
KINDS = ("normal", "wide", "published")
SECONDS = 300.0
LIMITS = Limits(
    wall_s=10 * SECONDS,
    cpu_s=SECONDS,
    idle_s=20.0,
    memory_bytes=6144 * MIB,
    result_bytes=512 * MIB,
    scratch_bytes=16 * MIB,
    scratch_files=100,
    log_bytes=MIB,
    processes=64,
)
MOST_TENSORS = 4096
_DRAWS = 4
_MORE_SEEDS = (1, 2)
_MOST_NAMES = 200
_LEAF_KINDS = ("tensor", "int", "float", "bool")
_SENSELESS = (Malformed, BadValue, LookupError, TypeError, ValueError, ArithmeticError,
              AttributeError, RuntimeError)  # fmt: skip

Found = TypeVar("Found")


class NotFinite(BadProblem):
    """The answer has NaN or infinities, as logarithms of some inputs; other inputs may have one."""


class ProblemFiles:
    """Draws calls of published problems; what was drawn once is kept, failures too."""

    def __init__(
        self, isolation: WorkerIsolation, jobs: int | None = None, limits: Limits = LIMITS
    ):
        self._zygote = Zygote("problem", isolation, jobs=jobs, start=START)
        self._limits = limits
        self._probes: dict[str, Probe | BadProblem] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> "ProblemFiles":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zygote.stop()

    def probe(self, text: str) -> Probe:
        """Reduced sizes and what was seen at them; looked for once."""
        with self._lock:
            own = self._locks.setdefault(text, threading.Lock())
        with own:
            if text not in self._probes:
                try:
                    self._probes[text] = self._looked_at(text)
                except BadProblem as error:
                    self._probes[text] = error
            found = self._probes[text]
        if isinstance(found, BadProblem):
            raise BadProblem(str(found))
        return found

    def know(self, text: str, probe: Probe) -> None:
        """Add what an earlier run found."""
        with self._lock:
            self._probes.setdefault(text, probe)

    def draw(self, text: str, request: CallRequest) -> AnsweredCall:
        """Draw one call with its answer; again with other inputs where that is not finite."""
        probe = self.probe(text)
        for seed in range(request.inputs_seed, request.inputs_seed + _DRAWS):
            try:
                return self._draw_call(text, probe, replace(request, inputs_seed=seed))
            except NotFinite as error:
                last = error
        raise last

    def _draw_call(self, text: str, probe: Probe, request: CallRequest) -> AnsweredCall:
        """Draw a call in a child of its own: weights of some take 250 MB."""
        sizes = dict(probe.sizes)
        frame = self._run({"source": text, "sizes": sizes, "wanted": asdict(request)})
        return read_untrusted(lambda: _read_answer(frame, request))

    def _looked_at(self, text: str) -> Probe:
        frame = self._run({"source": text, "sizes": None, "wanted": None})
        probe = read_untrusted(lambda: _probe(frame, text))
        values = tuple(one for one in probe.values if self._has_answers(text, probe, one))
        return replace(probe, values=values)

    def _has_answers(self, text: str, probe: Probe, kind: str) -> bool:
        """Whether other seeds than that of the probe have finite answers to such inputs, too."""
        if kind == "published":
            return True
        try:
            for seed in _MORE_SEEDS:
                self._draw_call(text, probe, CallRequest(kind, seed, seed, moves=False))
        except NotFinite:
            return False
        return True

    def _run(self, order: dict[str, Any]) -> Frame:
        with Scratch() as scratch:
            result = scratch.result("problem")
            path = scratch.order("problem", pack(order))
            ending = self._zygote.run(path, result, self._limits)
            _require_clean(ending)
            try:
                data = read_result(result, limit_bytes=self._limits.result_bytes)
            except OversizedResult as error:
                raise BadProblem(f"wrote too much: {error}") from error
        frames = read_untrusted(lambda: list(unpack(data)))
        if len(frames) != 1:
            raise BadProblem(f"gave {len(frames)} answers to one request")
        if frames[0].header.get("kind") == "error":
            raise BadProblem(_one_line(str(frames[0].header.get("message"))))
        return frames[0]


def _require_clean(ending: Ending) -> None:
    if ending.clean:
        return
    how = classify_ending(ending, Stage.CALL)
    if isinstance(how, Void):
        raise EvaluatorFault(how.detail)
    raise BadProblem(_one_line(how.detail.replace("the submission exited", "exited")))


def _one_line(text: str) -> str:
    return sanitize.printable(" ".join(text.split()))[:400]


def read_untrusted(read: Callable[[], Found]) -> Found:
    """What `read` gives; a bad problem where the process sent what cannot be read."""
    try:
        return read()
    except _SENSELESS as error:
        words = _one_line(f"{type(error).__name__}: {str(error)[:200]}")
        raise BadProblem(f"its result makes no sense: {words}") from error


def _probe(frame: Frame, text: str) -> Probe:
    header = frame.header
    if header.get("kind") != "probed":
        raise Malformed("an answer to something else")
    published = ProblemSource(text).constants()
    sizes = {name: _size(value, published[name]) for name, value in header["sizes"].items()}
    values = tuple(one for one in KINDS if one in header["values"])
    if "published" not in values:
        raise BadProblem("its answer to its own inputs is not finite")
    if type(header["random"]) is not bool:
        raise Malformed("not a truth value")
    return Probe(
        sizes=sizes,
        values=values,
        random=header["random"],
        constants=tuple(
            sanitize.text(one, _MOST_NAMES) for one in header["constants"][:MOST_TENSORS]
        ),
        weights={
            sanitize.text(name, _MOST_NAMES): Geometry.of(
                {"dtype": "float32", "shape": shape, "strides": None}
            ).shape
            for name, shape in list(header["weights"].items())[:MOST_TENSORS]
        },
    )


def _size(value: Any, published: Any) -> Any:
    """No larger than the published one, and of the same form."""
    each = value if isinstance(value, list) else [value]
    before = published if isinstance(published, tuple) else (published,)
    if isinstance(value, list) != isinstance(published, tuple) or len(each) != len(before):
        raise Malformed("a size of another form")
    for one, largest in zip(each, before, strict=True):
        if type(one) is not int or not 1 <= one <= largest:
            raise Malformed("a size outside the published one")
    return value


def _read_answer(frame: Frame, request: CallRequest) -> AnsweredCall:
    header = frame.header
    if header.get("kind") != "drawn":
        raise Malformed("an answer to something else")
    decode = _decoder(frame).decode
    native = _leaves(header["native"], [decode(one) for one in header["values"]])
    answer = Answer(
        native=native,
        truth=_like(native, [decode(one) for one in header["truth"]], "its truth"),
        moves=_like(native, [decode(one) for one in header["moves"]], "its budget")
        if request.moves
        else (),
    )
    call = AnsweredCall(
        args=tuple(decode(one) for one in header["args"]),
        init=tuple(decode(one) for one in header["init"]),
        state={
            sanitize.text(name, _MOST_NAMES): decode(one) for name, one in header["state"].items()
        },
        buffers=tuple(sanitize.text(name, _MOST_NAMES) for name in header["buffers"]),
        weights_seed=_seed(header["weights_seed"], request),
        loads=request.weights != "seed alone",
        answer=answer,
    )
    _require_plain(call, request)
    return call


def _decoder(frame: Frame) -> Decoder:
    spans = [(int(start), int(length)) for start, length in frame.header["storages"]]
    if len(spans) > MOST_TENSORS:
        raise BadProblem(f"has more than {MOST_TENSORS} tensors")
    known: dict[int, torch.Tensor] = {}

    def storage(index: int) -> torch.Tensor:
        if index not in known:
            start, length = spans[index]
            if start < 0 or length < 0 or start + length > len(frame.payload):
                raise Malformed("a storage lies outside its frame")
            known[index] = owned_bytes(frame.payload[start : start + length])
        return known[index]

    def refuse(tag: str, _body: Any) -> Any:
        raise BadProblem(f"an argument is neither a tensor nor plain data ({tag})")

    return Decoder(
        tensor=lambda described: Geometry.of(described).over(storage(int(described["storage"]))),
        stand_in=refuse,
    )


def _leaves(named: Sequence[Any], values: Sequence[Any]) -> tuple[Leaf, ...]:
    if not values or len(named) != len(values):
        raise BadProblem("its model returns nothing that could be judged")
    leaves = []
    for one, value in zip(named, values, strict=True):
        if one["kind"] not in _LEAF_KINDS or not isinstance(value, torch.Tensor):
            raise BadProblem("its model returns something that is neither a tensor nor a number")
        leaves.append(Leaf(sanitize.text(one["name"], _MOST_NAMES), one["kind"], value))
    return tuple(leaves)


def _like(native: Sequence[Leaf], values: Sequence[Any], what: str) -> tuple[torch.Tensor, ...]:
    """Finite numbers, one for each element of the outputs."""
    if len(values) != len(native):
        raise BadProblem(f"{what} has {len(values)} outputs, its answer has {len(native)}")
    for leaf, value in zip(native, values, strict=True):
        if not isinstance(value, torch.Tensor) or value.shape != leaf.value.shape:
            raise BadProblem(f"{what} has another shape than its answer")
        if leaf.value.is_floating_point() and value.dtype != torch.float64:
            raise BadProblem(f"{what} is not in float64")
        if not bool(value.isfinite().all()):
            raise NotFinite(f"{what} is not finite")
    return tuple(values)


def _seed(value: Any, request: CallRequest) -> int | None:
    if request.weights == "drawn":
        return None
    if type(value) is not int or value != request.weights_seed % (1 << 31):
        raise BadProblem("its weights are those of another seed")
    return value


def _require_plain(call: AnsweredCall, request: CallRequest) -> None:
    wanted = DTYPES[request.precision]
    for tensor in call.tensors():
        if tensor.is_floating_point() and tensor.dtype != wanted:
            raise BadProblem(f"has a tensor of {tensor.dtype}, expected {wanted}")
        if not bool(tensor.isfinite().all()):
            raise NotFinite("its inputs or weights are not finite")
