"""The sizes at which the published benchmark times its tasks, for `kbx eval --sizes published`.

By task, also of tasks that are not here yet: for each published row the parameters of a timing
case. Shapes, dtypes and arguments are
the published ones; values are drawn as in every other case of the task. A row that is there twice
counts once. Rows that a GPU cannot time are left out there, by name. Rows were read from the
published timings of version fd41922, and dtypes and arguments from its timing scripts.
"""

from collections.abc import Iterator
from typing import Any

Params = dict[str, Any]
"""Of one timing case; dtypes by name, since nothing here needs torch."""


def _doubling(first: int, last: int) -> Iterator[int]:
    """Both ends included."""
    while first <= last:
        yield first
        first *= 2


def _vectors(low: int, high: int, dtype: str = "float32", **rest: Any) -> tuple[Params, ...]:
    """1-D tensors of 2^low to 2^high elements."""
    sizes = _doubling(1 << low, 1 << high)
    return tuple({"shape": (n,), "dtype": dtype, **rest} for n in sizes)


def _square(low: int, high: int, dtype: str) -> tuple[Params, ...]:
    """Products of square matrices, every 128."""
    return tuple({"sizes": (n, n, n), "dtype": dtype} for n in range(low, high + 1, 128))


def _share_sizes(
    category: str, names: str, cases: tuple[Params, ...]
) -> dict[str, tuple[Params, ...]]:
    """Several tasks with the same sizes."""
    return {f"{category}/{name}": cases for name in names.split()}


_FLAT = _vectors(12, 27)
_MATH = (
    "abs add airy_ai asin bessel_j1 cos digamma div erf erfc_sqrt exp_sqrt floor gammaln i0 "
    "ifftshift log log1p logit rad2deg_sqrt reciprocal rsqrt signbit sqrt_exp sqrt_tanh sub trunc "
    "zeta"
)

SIZES: dict[str, tuple[Params, ...]] = {
    **_share_sizes("activation", "gelu leaky_relu relu selu sigmoid tanh", _FLAT),
    **_share_sizes(
        "activation", "gelu_bf16 relu_bf16 sigmoid_bf16 tanh_bf16", _vectors(12, 27, "bfloat16")
    ),
    **_share_sizes(
        "activation", "gelu_fp16 relu_fp16 sigmoid_fp16 tanh_fp16", _vectors(12, 27, "float16")
    ),
    "activation/combined_activation": tuple(
        {"sizes": (n, n, n), "dtype": "float32"} for n in _doubling(64, 2048)
    ),
    "activation/gelu_int8": _vectors(12, 27, "int8"),
    "convolution/conv2d": tuple(
        {"image": (n // 16, n // 2, 16, 16), "kernel": (n, 3, 3), "dtype": "float32"}
        for n in _doubling(32, 2048)
    ),
    "convolution/conv_transpose2d": tuple(
        {
            "image": (2, n // 2, 16, 16),
            "kernel": (n, 3, 3),
            "dtype": "float32",
            "output_padding": 1,
            "stride": 2,
            "padding": 1,
        }
        for n in _doubling(16, 512)
    ),
    "fusion/attention": tuple(
        {"shape": (2, 8, n, 64), "dtype": "float32", "causal": True} for n in _doubling(64, 1024)
    ),
    "fusion/fused_bmm_dropout_gelu": tuple(
        {"sizes": (32, n, n, n), "dtype": "float32", "p": 0.5} for n in range(256, 2433, 128)
    ),
    "fusion/fused_cos_avg_pool1d": tuple(
        {"shape": (32, 32, n), "dtype": "float32", "kernel_size": 3} for n in range(1536, 2945, 128)
    ),
    "fusion/fused_layer_norm_relu_linear": tuple(
        {"shape": (32, n, n // 2), "dtype": "float32", "bias": "contiguous"}
        for n in _doubling(256, 131072)
    ),
    "fusion/fused_sigmoid_batch_norm": tuple(
        {
            "shape": (32, n),
            "dtype": "float32",
            "training": False,
            "weight": "contiguous",
            "bias": "contiguous",
        }
        for n in _doubling(128, 4194304)
    ),
    "index/expand_where": tuple(
        {"shape": (256, n), "source": (1, n), "cond": (256, 1), "dtype": "float32"}
        for n in _doubling(1024, 16384)
    ),
    "index/index_fill_": tuple(
        {"shape": (n,), "dim": 0, "index": n // 2, "dtype": "float32", "value": 1.0}
        for n in _doubling(1 << 12, 1 << 23)
    ),
    "index/index_select": tuple(
        {"shape": (n, 256), "dim": 0, "index": n // 8, "dtype": "float32"}
        for n in _doubling(1 << 12, 1 << 17)
    ),
    "index/masked_select": _vectors(12, 22, rate=0.5),
    "index/permute_copy": tuple(
        {"shape": (n, n, n, n), "dims": [3, 2, 1, 0], "dtype": "float32"} for n in _doubling(8, 128)
    ),
    "index/scatter": tuple(
        {
            "shape": (n, 128),
            "dim": 0,
            "index": (n // 2, 128),
            "src": (n // 2, 128),
            "dtype": "float32",
        }
        for n in _doubling(256, 8192)
    ),
    "linear_algebra/qr": tuple({"shape": (n, n), "dtype": "float32"} for n in _doubling(16, 4096)),
    "linear_algebra/svd": tuple({"shape": (n, n), "dtype": "float32"} for n in _doubling(16, 256)),
    **_share_sizes("loss", "binary_cross_entropy mse_loss", _vectors(12, 23)),
    **_share_sizes(
        "loss",
        "cross_entropy nll_loss",
        tuple({"shape": (n, 1000), "dtype": "float32"} for n in _doubling(256, 32768)),
    ),
    "loss/kl_div": tuple({"shape": (n, 1024), "dtype": "float32"} for n in _doubling(256, 8192)),
    "loss/smooth_l1_loss": _vectors(12, 24),
    **_share_sizes("math", _MATH, _FLAT),
    "math/bitwise_and": _vectors(12, 27, "int32"),
    "math/bitwise_and_binomial": _vectors(12, 27, "int32", count=()),
    "math/chebyshev_polynomial_t": _vectors(12, 27, n=3),
    "math/fftn": _vectors(12, 23, "complex64"),
    "math/mul": _vectors(12, 27, "float16"),
    "math/mul_bf16": tuple({"shape": (n, n), "dtype": "bfloat16"} for n in _doubling(256, 8192)),
    "math/mul_fp16": tuple({"shape": (n, n), "dtype": "float16"} for n in _doubling(256, 8192)),
    "math/polygamma": _vectors(12, 27, n=1),
    "math/pow": _vectors(12, 27, other=2.0),
    "math/signbit_bitwise_and": _vectors(12, 27, other_dtype="int8"),
    "math/softmax": tuple(
        {"shape": (1024, n), "dim": 1, "dtype": "float32"} for n in _doubling(16, 524288)
    ),
    "matrix_multiply/addmm": _square(256, 4096, "float16"),
    "matrix_multiply/matmul_fp16": _square(256, 4096, "float16"),
    "normalization/batch_norm": tuple(
        {
            "shape": (32, 32, n, 128),
            "dtype": "float16",
            "training": False,
            "weight": "contiguous",
            "bias": "contiguous",
        }
        for n in range(640, 1537, 128)
    ),
    "normalization/normalize_pairwise_distance": tuple(
        {"shape": (16, n, 128), "dtype": "float32"} for n in _doubling(16, 32768)
    ),
    "normalization/normalized_cosine_similarity": tuple(
        {"shape": (n, 1024), "dtype": "float32", "dim": 1} for n in _doubling(64, 32768)
    ),
    "normalization/spectral_norm_eig": tuple(
        {"shape": (n, n), "dtype": "float32"} for n in _doubling(4, 128)
    ),
    "normalization/symmetric_matrix_vector_norm": tuple(
        {"n": n, "dtype": "float32", "alpha": 1.0, "beta": 1.0} for n in _doubling(4, 16384)
    ),
    "optimizer/Adam": _vectors(12, 27, step=1),
    "optimizer/AdamW": _vectors(10, 28, step=1),
    **_share_sizes("optimizer", "Lion RMSProp SGD", _vectors(10, 28)),
    "pooling/adaptive_avg_pool2d": tuple(
        {"shape": (1, 3, n, n), "output_size": (n // 2, n // 2), "dtype": "float32"}
        for n in _doubling(256, 32768)
    ),
    "pooling/avg_pool1d": tuple(
        {"shape": (2, 64, n), "dtype": "float32", "kernel_size": 2} for n in _doubling(1024, 32768)
    ),
    "quantization/linear_w4a16": tuple(
        {"sizes": sizes, "bias": "contiguous"}
        for sizes in ((1, 4096, 4096), (8, 4096, 4096), (32, 4096, 16384))
    ),
    "quantization/matmul_w8a8": tuple(
        {"sizes": (n, 2 * n, 4 * n), "dtype": "float32"} for n in _doubling(128, 1024)
    ),
    "random/logspace": tuple(
        {"steps": n, "dtype": "float32", "ends": (0.0, 10.0)} for n in _doubling(1 << 12, 1 << 27)
    ),
    "random/rand": _FLAT,
    "reduce/argmax": _vectors(12, 29, "float16", dim=0),
    **_share_sizes("reduce", "mean min_gelu sum", _vectors(12, 27, dim=0)),
    "reduce/min": tuple(
        {"shape": (n, 1024), "dim": 0, "dtype": "float32"} for n in _doubling(64, 524288)
    ),
    "reduce/std": _FLAT,
    "spatial_ops/grid_sample": tuple(
        {"shape": (16, 3, n, n), "to": (n // 2, n // 2), "dtype": "float32"}
        for n in _doubling(256, 2048)
    ),
    "spatial_ops/grid_sample_with_affine": tuple(
        {"shape": (1, 3, 256, 256), "to": (n, n), "dtype": "float32"} for n in _doubling(32, 1024)
    ),
    "spatial_ops/interpolate": tuple(
        {
            "shape": (2, 3, n, n),
            "to": (("size", (2 * n, 2 * n)),),
            "dtype": "float32",
            "mode": "bilinear",
        }
        for n in _doubling(32, 256)
    ),
}
"""By `category/name`, in the published order."""


def case_names(task: str) -> tuple[str, ...]:
    """Of the timing cases of `category/name`, as results have them; without torch."""
    return tuple(
        ",".join(f"{key}={str(value).replace(' ', '')}" for key, value in one.items())
        for one in SIZES[task]
    )
