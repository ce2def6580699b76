"""The builder that Triton's front end calls: Triton's own, with every wrong part replaced."""

from __future__ import annotations

import dataclasses
from typing import Any

from triton.runtime import interpreter as stock

from .arithmetic import Arithmetic
from .dots import Dots
from .errors import DeviceAssertion, NotInterpretable
from .handles import Handle
from .launch import Launch
from .libdevice import evaluate
from .shapes import Shapes
from .tiles import Tiles
from .watch import Watch

__all__ = ["Builder"]


def _smallest_dot(lhs: Any, _rhs: Any) -> tuple[int, int, int]:
    """M, N and K below which an sm_90 compiler refuses a product."""
    return (1, 1, 32) if lhs.scalar.primitive_bitwidth == 8 else (1, 1, 16)


class Builder(Arithmetic, Dots, Shapes, Tiles, stock.InterpreterBuilder):  # type: ignore[misc]
    """Executes what the front end builds, for the launch that is running."""

    def __init__(self) -> None:
        super().__init__()
        self.watch = Watch(seed=0)
        """The current watch; the initial one sees launches outside of every watched call."""
        self.watch.begin_call(order="in_order")
        self.launch = self.last_launch = Launch("", (1, 1, 1), self.watch)
        self.running = 0
        """Launches in progress; functions of a kernel can be called only inside one."""
        self.codegen_fns["min_dot_size"] = _smallest_dot
        self.codegen_fns["convert_custom_types"] = _refuse_custom_types
        self.options: Any = dataclasses.replace(
            stock.InterpreterOptions(),
            # `device_assert` is silent otherwise.
            debug=True,
            # Every integer addition would be computed a second time in 64 bits.
            sanitize_overflow=False,
            supported_fp8_dtypes=("fp8e4b15", "fp8e4nv", "fp8e5"),
            allowed_dot_input_precisions=("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"),
            max_num_imprecise_acc_default=2**30,
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("create_"):
            raise self._refusal(name.removeprefix("create_"))
        raise AttributeError(name)

    def _refusal(self, what: str) -> NotInterpretable:
        self.watch.flags.add(f"not_interpretable:{what}")
        return NotInterpretable(what)

    def create_inline_asm(self, *_: Any) -> Any:
        """Refuse assembly."""
        raise self._refusal("inline assembly")

    def create_extern_elementwise(
        self, _lib: str, _path: str, symbol: str, args: list[Handle], ret_type: Any, _pure: bool
    ) -> Handle:
        """Call a function of libdevice."""
        data = evaluate(symbol, [arg.data for arg in args], ret_type)
        if data is None:
            raise self._refusal(f"libdevice function {symbol}")
        return Handle(data, ret_type.scalar)

    def create_assert(self, condition: Handle, message: str) -> None:
        """Fail where any lane fails."""
        if not condition.data.all():
            self.watch.flags.add("device_assert")
            raise DeviceAssertion(f"device_assert failed: {message}")

    def create_assume(self, condition: Handle) -> None:
        """Check `tl.assume`: a promise that does not hold is an error like a failed assertion."""
        if not condition.data.all():
            self.watch.flags.add("device_assert")
            raise DeviceAssertion("tl.assume does not hold")


def _refuse_custom_types(_input: Any, dst_ty: Any, *_: Any, **_more: Any) -> Any:
    raise NotInterpretable(f"conversion from or to fp8e4b15 ({dst_ty})")
