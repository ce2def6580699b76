"""A submission's own Python as a program: called, tuned and recorded in its own process."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import torch

from ..binding import Binding, arrange
from ..gpu_autotune import measured_briefly, trying_all
from ..modules import build
from ..order import Arguments
from ..weights import share_memory
from .clocks import Bound


class SubmissionProgram:
    """The entry of a submission, or any other function with its signature."""

    def __init__(
        self,
        entry: Callable[..., Any],
        form: str,
        binding: Mapping[str, Binding | None] = MappingProxyType({}),
    ) -> None:
        self._entry = entry
        self._form = form
        self._binding = binding
        """How it takes the arguments of `call` and of `init`."""

    def prepare(self, arguments: Arguments) -> None:
        """One call; every configuration of an autotuned kernel is compiled, none is chosen."""
        with trying_all():
            self.bind(arguments)()

    def obstacle(self, arguments: Arguments) -> str:
        with trying_all():
            return str(self.record(arguments)[0].get("obstacle", ""))

    def tune(self, arguments: Arguments) -> None:
        """Make one call in which autotuned kernels choose for good."""
        with measured_briefly():
            self.bind(arguments)()

    def record(self, arguments: Arguments) -> tuple[dict[str, Any], bytes]:
        from .recording import record_call

        return record_call(self.bind(arguments), arguments)

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:  # noqa: ARG002 - same form for all
        raise TypeError("a submission takes no plan")

    def bind(self, arguments: Arguments) -> Bound:
        entry = self._entry
        args, kwargs = arrange(self._binding.get("call"), arguments.args, arguments.kwargs)
        if self._form == "module":
            making = self._binding.get("init")
            # Its parameters are the shared memory itself: what comes there later counts.
            entry = build(entry, arguments, _device_of(arguments), share_memory, making)

        def call() -> Any:
            return entry(*args, **kwargs)

        return call

    def release(self) -> None:
        return


def _device_of(arguments: Arguments) -> torch.device:
    """The device of its tensors, as the submission sees it."""
    given = [*arguments.args, *arguments.kwargs.values(), *arguments.state.values()]
    found = (one.device for one in given if isinstance(one, torch.Tensor))
    return next(found, torch.device("cpu"))
