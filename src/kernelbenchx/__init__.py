"""KernelBench-X: where do LLM-written GPU kernels break down, and can you trust the answer?

    import kernelbenchx as kbx

    result = kbx.evaluate("my_relu.py", task="relu")
    print(result.verdict, kbx.reward(result).value)

docs/api.md explains every public name.
"""

TYPE_CHECKING = False
"""True for type checkers; `typing` would be the slowest part of this import."""
if TYPE_CHECKING:
    from kernelbenchx.core.errors import BadInput, KbxError
    from kernelbenchx.core.evaluation import Evaluation
    from kernelbenchx.core.outcome import (
        Broken,
        Correct,
        Outcome,
        Reached,
        Rejected,
        Stage,
        Void,
        Wrong,
    )
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.core.submission import Origin, Submission
    from kernelbenchx.evaluator import Evaluator, evaluate, read_submissions
    from kernelbenchx.rewards import Reward, reward
    from kernelbenchx.runs import RunResults, load_run
    from kernelbenchx.task_info import TaskInfo, task, tasks

__version__ = "0.1.0"

__all__ = [
    "BadInput",
    "Broken",
    "Correct",
    "Evaluation",
    "Evaluator",
    "KbxError",
    "Origin",
    "Outcome",
    "Reached",
    "Rejected",
    "Reward",
    "RunResults",
    "Settings",
    "Stage",
    "Submission",
    "TaskInfo",
    "Void",
    "Wrong",
    "__version__",
    "evaluate",
    "load_run",
    "read_submissions",
    "reward",
    "task",
    "tasks",
]

_HOMES = {
    "core.errors": ("BadInput", "KbxError"),
    "core.evaluation": ("Evaluation",),
    "core.outcome": (
        "Broken",
        "Correct",
        "Outcome",
        "Reached",
        "Rejected",
        "Stage",
        "Void",
        "Wrong",
    ),
    "core.settings": ("Settings",),
    "core.submission": ("Origin", "Submission"),
    "evaluator": ("Evaluator", "read_submissions"),
    "rewards": ("Reward", "reward"),
    "runs": ("RunResults", "load_run"),
    "task_info": ("TaskInfo", "task"),
}
"""Where a public name is defined; `evaluate` and `tasks` are packages that can be called."""


if not TYPE_CHECKING:  # so that type checkers find a name that does not exist

    def __getattr__(name: str) -> object:
        """Load a public name on first use: the command line starts without it, and without
        torch."""
        import importlib

        if name in ("evaluate", "tasks"):
            return importlib.import_module(f"{__name__}.{name}")
        for home, names in _HOMES.items():
            if name in names:
                return getattr(importlib.import_module(f"{__name__}.{home}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
