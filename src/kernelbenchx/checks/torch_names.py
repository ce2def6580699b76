"""What each name of torch is to a kernel wrapper: preparation, computing, chance or off limits.

An allow-list: preparing is what only allocates, views, copies, casts or asks; the functions that
compute are in `torch_operators`; whatever is in neither list is off limits. `arange`, `eye`,
`full` are fills, hence preparation; `cat`, `stack`, `pad`, `repeat`, `flip` move data in ways that
are a kernel's job, hence computing. A CUDA graph only launches again what was launched: it
prepares, and the rule of state sees to it that none is kept for another call.
"""

import re
from enum import StrEnum
from functools import lru_cache

from kernelbenchx.checks import torch_operators


class Use(StrEnum):
    """What naming a part of torch means for the composition of a submission."""

    PREPARES = "prepares"
    COMPUTES = "computes"
    RANDOM = "random"
    FORBIDDEN = "forbidden"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DTYPES = _words(
    """bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 short int long half float double
    float16 float32 float64 bfloat16 complex32 complex64 complex128 cfloat cdouble chalf
    float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu
    float4_e2m1fn_x2"""
)
"""Names of dtypes, as `torch.X`."""

ALLOCATIONS = _words(
    """empty empty_like empty_strided zeros zeros_like ones ones_like full full_like tensor
    as_tensor scalar_tensor arange eye clone Tensor"""
)
"""Functions that return a new tensor whose values need no computing."""

VIEWS = _words(
    """as_strided broadcast_to diagonal flatten movedim moveaxis narrow permute ravel reshape select
    squeeze swapaxes swapdims t transpose unflatten unsqueeze view_as_real view_as_complex
    detach"""
)
"""Functions that return another view (or at most a copy) of one tensor."""

SEVERAL_VIEWS = _words("broadcast_tensors chunk split tensor_split unbind")
"""Functions that return several views."""

QUESTIONS = DTYPES | _words(
    """Size device dtype layout memory_format finfo iinfo contiguous_format channels_last
    channels_last_3d preserve_format strided inf nan pi e newaxis
    broadcast_shapes can_cast get_default_dtype get_default_device get_device is_complex
    is_floating_point is_grad_enabled is_nonzero is_tensor numel promote_types result_type
    no_grad inference_mode enable_grad set_grad_enabled no_type_check
    FloatTensor HalfTensor BFloat16Tensor DoubleTensor LongTensor IntTensor BoolTensor
    nn.Module nn.Parameter nn.parameter.Parameter nn.ParameterList nn.ParameterDict
    nn.init._calculate_fan_in_and_fan_out nn.init.calculate_gain autograd.Function
    autograd.function.once_differentiable autograd.function.FunctionCtx
    version.cuda version.hip __version__
    amp.custom_fwd amp.custom_bwd cuda.amp.custom_fwd cuda.amp.custom_bwd
    cuda.current_device cuda.current_stream cuda.device cuda.device_of cuda.device_count
    cuda.get_device_capability cuda.get_device_name cuda.get_device_properties cuda.is_available
    cuda.is_bf16_supported cuda.set_device cuda.synchronize cuda.CUDAGraph cuda.graph
    library.custom_op library.triton_op library.wrap_triton backends.cudnn.benchmark"""
)
"""Types, constants and questions: they return no tensor."""

ASIDE = _words(
    """cuda.Event cuda.Stream cuda.stream cuda.empty_cache cuda.memory_allocated
    cuda.max_memory_allocated cuda.reset_peak_memory_stats testing.assert_close autograd.grad
    autograd.gradcheck"""
)
"""What demo code measures and compares with; inside the entry it is off limits."""

PREPARING = ALLOCATIONS | VIEWS | SEVERAL_VIEWS | QUESTIONS

RANDOM = _words(
    """rand rand_like randn randn_like randint randint_like randperm bernoulli binomial multinomial
    normal poisson dropout alpha_dropout feature_dropout feature_alpha_dropout native_dropout rrelu
    manual_seed seed initial_seed get_rng_state set_rng_state Generator default_generator
    cuda.manual_seed cuda.manual_seed_all cuda.seed cuda.seed_all cuda.initial_seed
    cuda.get_rng_state cuda.set_rng_state cuda.default_generators random.manual_seed random.seed
    random.initial_seed random.get_rng_state random.set_rng_state random.fork_rng"""
)

RANDOM_METHODS = _words(
    """random_ normal_ uniform_ bernoulli bernoulli_ exponential_ cauchy_ geometric_ log_normal_
    multinomial manual_seed initial_seed set_state get_state"""
)

_ANY_CLASS = re.compile(r"[A-Z]\w*")
_PARTS = {
    "nn.functional": torch_operators.FUNCTIONAL,
    "linalg": torch_operators.LINALG,
    "fft": torch_operators.FFT,
    "special": torch_operators.SPECIAL,
}

MODULES = frozenset({"torch"}) | {
    f"torch.{name}"
    for name in (
        *("nn", "nn.functional", "nn.parameter", "nn.init", "linalg", "fft", "special", "cuda"),
        *("cuda.amp", "amp", "autograd", "autograd.function", "version", "random"),
        *("distributions", "testing", "library", "backends", "backends.cudnn"),
    )
}
"""Modules of torch: naming one does nothing, what is taken from it is judged."""


@lru_cache(maxsize=10_000)
def use_of(path: str) -> Use:
    """Classify the part of torch after `torch.`, such as `nn.functional.softmax`."""
    if path in PREPARING or path in ASIDE or f"torch.{path}" in MODULES:
        return Use.PREPARES
    if path in RANDOM:
        return Use.RANDOM
    head, _, name = path.rpartition(".")
    if not head:
        return Use.COMPUTES if name in torch_operators.FUNCTIONS else Use.FORBIDDEN
    if name.startswith("_"):
        return Use.FORBIDDEN
    if head in _PARTS:
        random = head == "nn.functional" and "dropout" in name
        return Use.COMPUTES if name in _PARTS[head] else Use.RANDOM if random else Use.FORBIDDEN
    match head:
        case "Tensor":
            return use_of_method(name)
        case "nn" | "distributions" if _ANY_CLASS.fullmatch(name):
            return Use.COMPUTES if head == "nn" else Use.RANDOM
        case "nn.init" if name.endswith("_"):
            return Use.RANDOM
    # A member of a value: torch.float32.itemsize, torch.nn.Linear.forward.
    return use_of(head) if f"torch.{head}" not in MODULES else Use.FORBIDDEN


def is_dropout(path: str) -> bool:
    """Whether a full name such as `torch.nn.functional.dropout` is a function of dropout."""
    return path.startswith("torch.") and use_of(path[6:]) is Use.RANDOM and "dropout" in path


VIEW_METHODS = VIEWS | _words(
    """contiguous view view_as reshape_as expand expand_as unfold clone copy_ detach_ fill_ zero_
    requires_grad_ to type type_as float half double bfloat16 int long short char byte bool cuda
    cpu pin_memory new_empty new_empty_strided new_zeros new_full new_ones new_tensor
    resolve_conj resolve_neg"""
)
"""Methods that return one tensor and prepare it."""

SEVERAL_METHODS = SEVERAL_VIEWS
"""Methods that return several tensors and prepare them."""

QUESTION_METHODS = _words(
    """size stride numel nelement dim ndimension element_size storage_offset data_ptr get_device
    is_contiguous is_floating_point is_complex is_signed is_pinned is_same_size is_shared is_conj
    is_neg item tolist"""
)
"""Methods of a tensor that return no tensor."""

PLAIN_METHODS = _words(
    """append extend insert pop remove clear index count reverse update setdefault get items keys
    values copy join split rsplit strip lstrip rstrip lower upper startswith endswith replace format
    removeprefix removesuffix partition rpartition isdigit title bit_length is_integer hex
    save_for_backward mark_non_differentiable mark_dirty set_materialize_grads
    register_buffer register_parameter parameters buffers extra_repr eval train
    get_current_target get_active_torch_device get_device_properties from_tensor
    all_kwargs is_fp8 is_fp16 is_fp32 is_floating replay"""
)
"""Methods of strings, containers, modules and drivers: not a tensor's business."""

SCALAR_READS = frozenset({"item", "tolist"})
"""Methods that bring values to the host: allowed and noted, since a wrapper may branch on them."""

TENSOR_ATTRIBUTES = _words("T mT H mH data real imag grad")
"""Attributes of a tensor that are tensors."""

EVIDENCE = (VIEW_METHODS | QUESTION_METHODS | _words("shape dtype device is_cuda ndim")) - {
    "copy",
    "index",
    "type",
    "to",
    "float",
    "int",
    "bool",
    "split",
    "select",
    "item",
    "t",
}
"""A parameter asked for one of these is taken to be a tensor."""


def use_of_method(name: str) -> Use:
    """Classify a method called on a tensor, or on something that may be one."""
    if name in RANDOM_METHODS:
        return Use.RANDOM
    known = name in VIEW_METHODS or name in QUESTION_METHODS or name in SEVERAL_METHODS
    return Use.PREPARES if known else Use.COMPUTES
