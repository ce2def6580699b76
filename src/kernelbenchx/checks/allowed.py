"""The allow-list: every full name that a submission may import or reach through an attribute.

A *module* gives access to other things, so it may only be imported, renamed and read for an
attribute; the attribute is looked up here again, by its full name. A *value* (a function, a class,
a constant) may go anywhere. A name that is not listed is forbidden.
"""

import re
import sys
from enum import StrEnum
from functools import lru_cache

from kernelbenchx.checks import torch_names
from kernelbenchx.checks.existing_names import is_missing


class NameKind(StrEnum):
    """What a full name stands for."""

    MODULE = "module"
    VALUE = "value"
    FORBIDDEN = "forbidden"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TYPING = _words(
    """Any Annotated Callable ClassVar DefaultDict Deque Dict Final FrozenSet Generator Generic
    Iterable Iterator List Literal Mapping MutableMapping NamedTuple NewType NoReturn Optional
    OrderedDict ParamSpec Protocol Self Sequence Set Tuple Type TYPE_CHECKING TypeAlias TypedDict
    TypeVar Union Unpack cast final overload runtime_checkable"""
)
STANDARD: dict[str, frozenset[str] | None] = {
    "__future__": _words("annotations"),
    "collections": _words("namedtuple OrderedDict defaultdict Counter deque"),
    "collections.abc": None,
    "contextlib": _words("nullcontext"),
    "dataclasses": _words("dataclass field replace asdict astuple"),
    "enum": _words("Enum IntEnum StrEnum auto"),
    "functools": _words("cache lru_cache partial reduce wraps"),
    "itertools": None,
    "logging": _words(
        """getLogger basicConfig debug info warning warn error critical exception log
        DEBUG INFO WARNING WARN ERROR CRITICAL NOTSET"""
    ),
    "math": None,
    "operator": _words("add sub mul truediv floordiv mod neg and_ or_ xor eq ne lt le gt ge"),
    "typing": _TYPING,
    "typing_extensions": _TYPING,
    "warnings": _words("warn filterwarnings simplefilter"),
}
"""Modules of the standard library, each with the names that may be used (`None`: all public)."""

LANGUAGE = frozenset(
    f"triton.language{part}"
    for part in (
        *("", ".core", ".math", ".random", ".standard", ".extra", ".extra.libdevice"),
        *(".extra.cuda", ".extra.cuda.libdevice", ".extra.hip", ".extra.hip.libdevice"),
        ".libdevice",
    )
)
"""Modules of Triton's language. A name that Triton lacks is its business, not the checks'."""

TRITON: dict[str, frozenset[str]] = {
    "triton": _words(
        """jit autotune heuristics Config cdiv next_power_of_2 __version__ constexpr_function
        set_allocator reinterpret OutOfResources TritonError CompilationError"""
    ),
    "triton.errors": _words("TritonError"),
    "triton.runtime": _words("autotune heuristics Config OutOfResources"),
    "triton.runtime.autotuner": _words("autotune heuristics Config OutOfResources"),
    "triton.runtime.errors": _words("OutOfResources"),
    "triton.runtime.jit": _words("jit"),
    "triton.runtime.driver": frozenset(),
    "triton.runtime.driver.active": _words(
        "get_current_target get_active_torch_device get_current_device"
    ),
    "triton.runtime.driver.active.utils": _words("get_device_properties"),
    "triton.testing": _words("do_bench do_bench_cudagraph perf_report Benchmark assert_close"),
    "triton.tools": frozenset(),
    "triton.tools.tensor_descriptor": _words("TensorDescriptor"),
}
"""Modules of Triton around the language; the driver is an object, but hands out as much."""

_PUBLIC = re.compile(r"[A-Za-z]\w*")
_DOORS = _words(
    """backends compiler core driver gdc ir knobs libdevice module modules module_finder
    module_from_spec runtime semantic spec target_info tl triton utils"""
)
"""Names in modules of Triton's language that lead out of the language and its library."""

HIDDEN = _words(
    """gi_frame gi_code gi_yieldfrom cr_frame cr_code ag_frame tb_frame tb_next f_back f_globals
    f_locals f_builtins f_code func_globals mro co_code co_consts obj numpy storage untyped_storage
    typed_storage set_ share_memory_ apply_ map_ map2_ register_hook to_dlpack as_subclass
    register_post_accumulate_grad_hook register_forward_hook register_forward_pre_hook
    register_full_backward_hook register_full_backward_pre_hook module_load cache_info"""
)
"""Public attributes of objects that lead to frames, modules, foreign memory or hooks, or that count
calls."""

MODULES = frozenset(STANDARD) | LANGUAGE | frozenset(TRITON) | torch_names.MODULES


@lru_cache(maxsize=10_000)
def kind_of(path: str) -> NameKind:
    """Classify a full name such as `torch.nn.functional.softmax`."""
    if path in MODULES:
        return NameKind.MODULE
    head = path
    while "." in head:
        head, _, name = head.rpartition(".")
        if head in MODULES:
            rest = path[len(head) + 1 :].split(".")[1:]
            open_ = not any(is_hidden(piece) for piece in rest)
            return NameKind.VALUE if open_ and _offers(head, name) else NameKind.FORBIDDEN
    return NameKind.FORBIDDEN


def _offers(module: str, name: str) -> bool:
    if module in STANDARD:
        names = STANDARD[module]
        return name in names if names is not None else not name.startswith("_")
    if is_missing(module, name):
        return True
    if module in TRITON:
        return name in TRITON[module]
    if module in LANGUAGE:
        foreign = module != "triton.language" and name in sys.stdlib_module_names
        return bool(_PUBLIC.fullmatch(name)) and name not in _DOORS and not foreign
    return torch_names.use_of(f"{module}.{name}".partition(".")[2]) is not (
        torch_names.Use.FORBIDDEN
    )


def is_hidden(name: str) -> bool:
    """Whether an attribute of any object is not to be read."""
    return name.startswith("_") or name in HIDDEN


def allowed_imports() -> tuple[str, ...]:
    """The packages that a submission may import."""
    roots = {path.partition(".")[0] for path in MODULES}
    return tuple(sorted(root for root in roots if not root.startswith("_")))
