"""How a process ended, and what that says about the submission in it."""

import signal
from dataclasses import dataclass

from kernelbenchx.core.outcome import Broken, Reason, Stage, Void
from kernelbenchx.runner.sanitize import printable
from kernelbenchx.worker.limits import Limits

_LIMITS: dict[str, tuple[Reason, str]] = {
    "wall": (Reason.TIMEOUT, "not finished within the time limit"),
    "cpu": (Reason.TIMEOUT, "not finished within the CPU time limit"),
    "idle": (Reason.TIMEOUT, "slept beyond the time limit"),
    "call": (Reason.TIMEOUT, "a call did not finish within the CPU time limit"),
    "call_idle": (Reason.TIMEOUT, "a call slept beyond the time limit"),
    "memory": (Reason.MEMORY, "held more memory than allowed"),
    "log": (Reason.OUTPUT_LIMIT, f"printed more than {Limits.log_bytes >> 20} MiB"),
    "result": (Reason.OUTPUT_LIMIT, "wrote a larger result than allowed"),
    "scratch": (Reason.OUTPUT_LIMIT, "wrote more temporary files than allowed"),
    "processes": (Reason.CRASH, "started more processes than allowed"),
    "cancelled": (Reason.TIMEOUT, "stopped before it finished"),
}
_LAST_WORDS = 300


@dataclass(frozen=True)
class Ending:
    """The zygote's account of one child; nothing in it is the child's word except the log."""

    exit_code: int | None = None
    signal: int | None = None
    over: str = ""
    """The limit it was ended for.

    `wall`, `cpu`, `idle`, `memory`, `log`, `result`, `scratch` or `processes`; `call` and
    `call_idle` for the limits of one call; `programs` where the interpreter would take too long;
    `cancelled` where the trusted side had it ended.
    """
    limit_s: float = 0.0
    """The time limit, where one was exceeded and is known."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    programs: int = 0
    """Interpreted programs that came to their end, by the child's own account."""
    program_seconds: float = 0.0
    """CPU time of those programs."""
    slowest_call_s: float = 0.0
    """CPU time of the slowest call that ended, by the child's own account."""
    undefined: bool = False
    """Whether a load left lanes undefined, by the child's own account."""
    max_rss_bytes: int = 0
    log: str = ""
    lost: bool = False
    """The harness failed: the child never started, or the zygote has died."""
    fault: str = ""

    @property
    def clean(self) -> bool:
        return self.exit_code == 0 and not self.over and not self.lost

    @property
    def timed_out(self) -> bool:
        return self.over in ("wall", "cpu", "idle") or self.over_call

    @property
    def over_call(self) -> bool:
        """Whether one call took longer than a call may."""
        return self.over in ("call", "call_idle")


def classify_ending(ending: Ending, stage: Stage) -> Broken | Void:
    """The outcome of an unclean ending; the harness's own fault is never the submission's."""
    if ending.clean:
        raise ValueError("a clean ending is not broken: read the result")
    if ending.lost:
        return Void(reason=Reason.EVALUATOR, detail=ending.fault or "the warm worker process ended")
    if ending.over == "programs":
        done = f"ran {ending.programs} programs in {ending.program_seconds:.0f} s of CPU time"
        return Void(reason=Reason.TOO_SLOW, detail=f"the interpreter {done} and was not done")
    reason, what = _reason(ending)
    return Broken(stage=stage, reason=reason, detail=_with_last_words(what, ending.log))


def _reason(ending: Ending) -> tuple[Reason, str]:
    if ending.over:
        reason, what = _LIMITS[ending.over]
        if reason is not Reason.TIMEOUT:
            return reason, what
        limit = f" of {ending.limit_s:g} s" if ending.limit_s and ending.timed_out else ""
        if ending.over_call:
            return reason, f"{what}{limit}"
        if ending.over == "cpu":
            return reason, f"{what}{limit} ({ending.cpu_seconds:.1f} s)"
        return reason, f"{what}{limit} ({ending.seconds:.1f} s)"
    if ending.signal == signal.SIGXFSZ:
        return Reason.OUTPUT_LIMIT, "wrote a larger file than allowed"
    if ending.signal is not None:
        return Reason.CRASH, f"killed by {_name(ending.signal)}"
    if _last_line(ending.log).startswith("MemoryError"):
        return Reason.MEMORY, "ran out of memory"
    return Reason.EXIT, f"the submission exited with code {ending.exit_code}"


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _with_last_words(what: str, log: str) -> str:
    line = _last_line(log)
    return f"{what}; last line it printed: {printable(line[:_LAST_WORDS])}" if line else what


def _last_line(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return lines[-1] if lines else ""
