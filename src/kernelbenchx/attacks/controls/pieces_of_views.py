"""Cuts tensors into pieces by numbers that no data decides, and launches for each.

with: triton, relu_kernel
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    flat = y.ravel()
    pairs = zip(flat.tensor_split(3), x.view_as(y).ravel().tensor_split(3), strict=True)
    for piece, part in pairs:
        for to, of in zip(piece.chunk(2), part.type_as(input).chunk(2), strict=True):
            n = to.numel()
            if n and not of.is_complex():
                relu_kernel[(triton.cdiv(n, 1024),)](to, of, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
