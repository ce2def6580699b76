"""KernelBench-X: where do LLM-written GPU kernels break down, and can you trust the answer?"""

TYPE_CHECKING = False
"""True for type checkers; `typing` would be the slowest part of this import."""
if TYPE_CHECKING:
    from kernelbenchx.rewards import reward

__version__ = "0.1.0"

__all__ = ["__version__", "reward"]


def __getattr__(name: str) -> object:
    """Loaded when asked for: the command line starts without it."""
    if name == "reward":
        from kernelbenchx.rewards import reward

        return reward
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
