"""Call a task author's function with the arguments of a case."""

from collections.abc import Callable
from typing import Any

from kernelbenchx.spec.call import Call


def apply_function(function: Callable[..., Any], call: Call) -> Any:
    """`function(*args, **kwargs)`; where the call has module parameters also `state=`."""
    extra = {"state": call.state} if call.state else {}
    return function(*call.args, **call.kwargs, **extra)
