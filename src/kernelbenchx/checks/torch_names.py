"""What each name of torch is to a kernel wrapper: preparation, computing, chance or off limits.

An allow-list: preparing is what only allocates, views, copies, casts or asks. Any other function of
torch computes, and any other part of torch (private names, compilers, the standard library seen
through it) is off limits. `arange`, `eye`, `full` are fills, hence preparation; `cat`, `stack`,
`pad`, `repeat`, `flip` move data in ways that are a kernel's job, hence computing. A CUDA graph
only launches again what was launched: it prepares, and the rule of state sees to it that none is
kept for another call.
"""

import sys
from enum import StrEnum


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
    nn.Module nn.Parameter nn.parameter.Parameter autograd.Function
    autograd.function.once_differentiable autograd.function.FunctionCtx
    version.cuda version.hip __version__
    amp.custom_fwd amp.custom_bwd cuda.amp.custom_fwd cuda.amp.custom_bwd
    cuda.current_device cuda.current_stream cuda.device cuda.device_of cuda.device_count
    cuda.get_device_capability cuda.get_device_name cuda.get_device_properties cuda.is_available
    cuda.is_bf16_supported cuda.set_device cuda.synchronize cuda.CUDAGraph cuda.graph"""
)
"""Types, constants and questions: they return no tensor."""

PREPARING = ALLOCATIONS | VIEWS | SEVERAL_VIEWS | QUESTIONS

RANDOM = _words(
    """rand rand_like randn randn_like randint randint_like randperm bernoulli binomial multinomial
    normal poisson dropout alpha_dropout feature_dropout feature_alpha_dropout native_dropout rrelu
    manual_seed seed initial_seed get_rng_state set_rng_state Generator default_generator
    cuda.manual_seed cuda.manual_seed_all cuda.seed cuda.seed_all cuda.initial_seed
    cuda.get_rng_state cuda.set_rng_state cuda.default_generators"""
)

RANDOM_PREFIXES = ("random.", "nn.init.", "nn.functional.dropout", "distributions.")

RANDOM_METHODS = _words(
    """random_ normal_ uniform_ bernoulli bernoulli_ exponential_ cauchy_ geometric_ log_normal_
    multinomial manual_seed initial_seed set_state get_state"""
)

COMPUTING_PARTS = ("nn.functional.", "linalg.", "fft.", "special.", "nn.", "Tensor.")
"""Sub-modules whose public functions compute; every other sub-module is off limits."""

CONTAINERS = _words(
    """nn nn.functional nn.parameter nn.init linalg fft special cuda cuda.amp amp autograd
    autograd.function version random distributions"""
)
"""Modules: naming one does nothing, what is taken from it is judged."""

FORBIDDEN = _words(
    """compile jit ops classes library load save hub multiprocessing distributed fx overrides utils
    serialization storage package profiler export func vmap cond while_loop from_file from_blob
    set_default_dtype set_default_device set_default_tensor_type set_printoptions set_num_threads
    set_flush_denormal set_float32_matmul_precision use_deterministic_algorithms
    set_warn_always import_ir_module typename Stream Event UntypedStorage TypedStorage
    frombuffer from_numpy from_dlpack to_dlpack backends autocast"""
)
"""Compilers, loaders, global switches and doors to other memory."""

_STANDARD = frozenset(sys.stdlib_module_names)


def use_of(path: str) -> Use:
    """Classify the part of torch after `torch.`, such as `nn.functional.softmax`."""
    first = path.partition(".")[0]
    if path in PREPARING or path in CONTAINERS:
        return Use.PREPARES
    if path in RANDOM or path.startswith(RANDOM_PREFIXES):
        return Use.RANDOM
    if path.startswith("Tensor."):
        return use_of_method(path.removeprefix("Tensor."))
    parts = path.split(".")
    if first in FORBIDDEN or any(part.startswith("_") or part in _STANDARD for part in parts):
        return Use.FORBIDDEN
    if len(parts) == 1 or path.startswith(COMPUTING_PARTS):
        return Use.COMPUTES
    # dtype members such as torch.float32.itemsize, or an attribute of a question's answer.
    head = path.rpartition(".")[0]
    return Use.PREPARES if head in QUESTIONS else Use.FORBIDDEN


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
