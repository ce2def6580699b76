"""How much an operator of torch computes: operations of a product, elements of anything else."""

from typing import Any

import torch

from .provenance import tensors_in

_PRODUCTS = {"mm": 0, "bmm": 0, "mv": 0, "dot": 0, "_int_mm": 0, "_scaled_mm": 0}
_PRODUCTS |= {"addmm": 1, "baddbmm": 1, "addmv": 1, "addbmm": 1}
"""Products of matrices and vectors, and where the first factor stands among their tensors."""


def count_work(name: str, given: Any, result: Any) -> int:
    """Work of one operator, such as `aten.mm.default`, from its arguments and its result."""
    tensors, made = list(tensors_in(given)), list(tensors_in(result))
    most = max(map(_elements, [*tensors, *made]), default=0)
    plain = name.partition(".")[2].partition(".")[0]
    if plain in _PRODUCTS and len(tensors) > _PRODUCTS[plain] and tensors[_PRODUCTS[plain]].ndim:
        return 2 * sum(map(_elements, made)) * tensors[_PRODUCTS[plain]].shape[-1]
    if "convolution" in plain and len(tensors) > 1 and tensors[1].numel() and made:
        return 2 * _elements(made[0]) * (tensors[1].numel() // tensors[1].shape[0])
    if "scaled_dot_product" in plain and len(tensors) > 1 and tensors[1].ndim > 1:
        return 4 * tensors[0].numel() * tensors[1].shape[-2]
    return most


def _elements(tensor: torch.Tensor) -> int:
    """Number of elements; integers count by bytes: small ones can be packed into a large one."""
    if tensor.is_floating_point():
        return int(tensor.numel())
    return int(tensor.numel()) * (2 if tensor.is_complex() else tensor.element_size())
