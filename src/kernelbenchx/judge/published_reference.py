"""What the published test of a task compares with: torch eager, in the dtype of the call.

These answer what the published files answer, also where that contradicts the statement. So a task's
own reference is no help: it computes what the statement says. They take the arguments of
`catalog/published_tests` and no others. `scripts/convert_published_tests.py` compares them with the
published functions, bit for bit.
"""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from kernelbenchx.judge import published_functions as functions


def published_reference(name: str) -> Callable[..., Any] | None:
    """Of the task `category/name`; None for published tasks that the catalogue does not have."""
    return REFERENCES.get(name)


REFERENCES: dict[str, Callable[..., Any]] = {
    "activation/combined_activation": functions.combined_activation,
    "activation/gelu_int8": lambda input, **mode: F.gelu(input.float(), **mode).to(torch.int8),
    "activation/leaky_relu": F.leaky_relu,
    "activation/selu": functions.selu,
    **{f"activation/gelu{dtype}": F.gelu for dtype in ("", "_fp16", "_bf16")},
    **{f"activation/relu{dtype}": F.relu for dtype in ("", "_fp16", "_bf16")},
    **{f"activation/sigmoid{dtype}": torch.sigmoid for dtype in ("", "_fp16", "_bf16")},
    **{f"activation/tanh{dtype}": torch.tanh for dtype in ("", "_fp16", "_bf16")},
    "convolution/conv2d": F.conv2d,
    "convolution/conv_transpose2d": F.conv_transpose2d,
    "fusion/attention": functions.attention,
    "fusion/fused_bmm_dropout_gelu": functions.bmm_dropout_gelu,
    "fusion/fused_cos_avg_pool1d": lambda input, *size, **rest: F.avg_pool1d(
        input.cos(), *size, **rest
    ),
    "fusion/fused_layer_norm_relu_linear": functions.layer_norm_relu_linear,
    "fusion/fused_sigmoid_batch_norm": lambda *args, **rest: F.batch_norm(*args, **rest).sigmoid(),
    "index/expand_where": functions.expand_where,
    "index/index_fill_": lambda dim, x, index, value: x.index_fill_(dim, index, value),
    "index/index_select": torch.index_select,
    "index/masked_select": torch.masked_select,
    "index/permute_copy": lambda input, dims: input.permute(dims).clone(),
    "index/scatter": torch.scatter,
    "linear_algebra/qr": torch.linalg.qr,
    "linear_algebra/svd": torch.linalg.svd,
    "loss/binary_cross_entropy": F.binary_cross_entropy,
    "loss/cross_entropy": F.cross_entropy,
    "loss/kl_div": lambda *args, **rest: F.kl_div(*args, **{"reduction": "batchmean", **rest}),
    "loss/mse_loss": F.mse_loss,
    "loss/nll_loss": F.nll_loss,
    "loss/smooth_l1_loss": F.smooth_l1_loss,
    **{
        f"math/{name}": getattr(torch, name)
        for name in [
            "abs",
            "add",
            "asin",
            "bitwise_and",
            "cos",
            "digamma",
            "div",
            "erf",
            "floor",
            "i0",
            "log",
            "log1p",
            "mul",
            "polygamma",
            "pow",
            "reciprocal",
            "rsqrt",
            "signbit",
            "softmax",
            "trunc",
        ]
    },
    **{
        f"math/{name}": getattr(torch.special, name)
        for name in ["airy_ai", "bessel_j1", "chebyshev_polynomial_t", "gammaln", "zeta"]
    },
    "math/bitwise_and_binomial": functions.bitwise_and_binomial,
    "math/erfc_sqrt": functions.erfc_sqrt,
    "math/exp_sqrt": functions.exp_sqrt,
    "math/fftn": torch.fft.fftn,
    "math/ifftshift": torch.fft.ifftshift,
    "math/logit": functions.logit,
    "math/mul_bf16": torch.mul,
    "math/mul_fp16": torch.mul,
    "math/rad2deg_sqrt": lambda input: (input.rad2deg(), input.sqrt()),
    "math/signbit_bitwise_and": functions.signbit_bitwise_and,
    "math/sqrt_exp": functions.sqrt_exp,
    "math/sqrt_tanh": lambda input: input.sqrt().tanh(),
    "math/sub": functions.sub,
    "matrix_multiply/addmm": torch.addmm,
    "matrix_multiply/matmul_fp16": torch.matmul,
    "normalization/batch_norm": F.batch_norm,
    "normalization/normalize_pairwise_distance": functions.normalize_pairwise_distance,
    "normalization/normalized_cosine_similarity": functions.normalized_cosine_similarity,
    "normalization/spectral_norm_eig": functions.spectral_norm_eig,
    "normalization/symmetric_matrix_vector_norm": functions.symmetric_matrix_vector_norm,
    "optimizer/Adam": torch.optim.Adam,
    "optimizer/AdamW": functions.adamw_step,
    "optimizer/Lion": functions.lion_step,
    "optimizer/RMSProp": functions.rmsprop_step,
    "optimizer/SGD": functions.sgd_step,
    "pooling/adaptive_avg_pool2d": F.adaptive_avg_pool2d,
    "pooling/avg_pool1d": F.avg_pool1d,
    "quantization/linear_w4a16": F.linear,
    "quantization/matmul_w8a8": torch.matmul,
    "random/logspace": torch.logspace,
    "random/rand": torch.rand,
    "reduce/argmax": torch.argmax,
    "reduce/mean": torch.mean,
    "reduce/min": torch.min,
    "reduce/min_gelu": functions.min_gelu,
    "reduce/std": torch.std,
    "reduce/sum": torch.sum,
    "spatial_ops/grid_sample": functions.grid_sample,
    "spatial_ops/grid_sample_with_affine": functions.grid_sample_with_affine,
    "spatial_ops/interpolate": F.interpolate,
}
"""By `category/name`. All arguments of calls are the published ones, so torch's own names do."""
