"""The sizes at which the published benchmark times its tasks, for `kbx eval --sizes published`.

By task: for each published row the parameters of a timing case. Shapes, dtypes and arguments are
the published ones; values are drawn as in every other case of the task. Rows that a GPU cannot
time are left out there, by name. Rows were read from the published timings of version fd41922, and
dtypes and arguments from its timing scripts.
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


_FLAT = _vectors(12, 27)

SIZES: dict[str, tuple[Params, ...]] = {
    "activation/gelu": _FLAT,
    "activation/gelu_bf16": _vectors(12, 27, "bfloat16"),
    "activation/gelu_fp16": _vectors(12, 27, "float16"),
    "activation/relu": _FLAT,
    "activation/selu": _FLAT,
    "convolution/conv2d": tuple(
        {"image": (n // 16, n // 2, 16, 16), "kernel": (n, 3, 3), "dtype": "float32"}
        for n in _doubling(32, 2048)
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
    "index/masked_select": _vectors(12, 22, rate=0.5),
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
    "loss/cross_entropy": tuple(
        {"shape": (n, 1000), "dtype": "float32"} for n in _doubling(256, 32768)
    ),
    "loss/mse_loss": _vectors(12, 23),
    "math/add": _FLAT,
    "math/div": _FLAT,
    "math/fftn": _vectors(12, 23, "complex64"),
    "math/log1p": _FLAT,
    "math/reciprocal": _FLAT,
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
    "optimizer/AdamW": _vectors(10, 28, step=1),
    "optimizer/RMSProp": _vectors(10, 28),
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
    "random/rand": _FLAT,
    "reduce/argmax": _vectors(12, 29, "float16", dim=0),
    "reduce/std": _FLAT,
    "reduce/sum": _vectors(12, 27, dim=0),
    "spatial_ops/grid_sample": tuple(
        {"shape": (16, 3, n, n), "to": (n // 2, n // 2), "dtype": "float32"}
        for n in _doubling(256, 2048)
    ),
}
"""By `category/name`, in the published order."""
