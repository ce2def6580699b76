"""A submission's own Python as a program: called, tuned and recorded where it can do no harm."""

from collections.abc import Callable
from typing import Any

import torch

from ..order import Arguments
from ..tuning import measured_briefly, trying_all
from .clocks import Bound


class Entry:
    """The entry of a submission, or any other function with its signature."""

    def __init__(self, entry: Callable[..., Any], form: str) -> None:
        self._entry = entry
        self._form = form

    def prepare(self, arguments: Arguments) -> None:
        """One call; every configuration of an autotuned kernel is compiled, none is chosen."""
        with trying_all():
            self.bind(arguments)()

    def obstacle(self, arguments: Arguments) -> str:
        with trying_all():
            return str(self.record(arguments)[0].get("obstacle", ""))

    def tune(self, arguments: Arguments) -> None:
        """One call in which autotuned kernels choose for good."""
        with measured_briefly():
            self.bind(arguments)()

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:
        from .recording import record_call

        return record_call(self.bind(arguments), arguments)

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:  # noqa: ARG002 - same form for all
        raise TypeError("a submission takes no plan")

    def bind(self, arguments: Arguments) -> Bound:
        entry, args, kwargs = self._entry, arguments.args, arguments.kwargs
        if self._form == "module":
            entry = _built(entry, arguments)

        def call() -> Any:
            return entry(*args, **kwargs)

        return call

    def release(self) -> None:
        return


def _built(kind: Callable[..., Any], arguments: Arguments) -> Callable[..., Any]:
    """A module whose parameters are the shared memory itself: what comes there later counts."""
    module: torch.nn.Module = kind(*arguments.init)
    for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
        tensor.data = arguments.state[name]

    def forward(*args: Any, **kwargs: Any) -> Any:
        with torch.no_grad():
            return module(*args, **kwargs)

    return forward
