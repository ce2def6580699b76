"""A kernel that follows two strides instead of asking for contiguous memory.

with: triton
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, rows, columns, stride_row, stride_column, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * stride_row + offsets * stride_column, mask=mask, other=0.0)
    tl.store(y_ptr + row * columns + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input if input.dim() == 2 else input.reshape(1, -1)
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    rows, columns = x.shape
    if y.numel():
        grid = (rows, triton.cdiv(columns, 256))
        relu_kernel[grid](y, x, rows, columns, x.stride(0), x.stride(1), BLOCK=256)
    y = y.view(input.shape)
    return input.copy_(y) if inplace else y
