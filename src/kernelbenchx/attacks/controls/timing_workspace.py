"""Two kernels that hand on their results through a workspace.

with: triton, softmax_rows
task: softmax
device: cuda
stage: perf
"""


def softmax(input: torch.Tensor, dim: int, dtype=None) -> torch.Tensor:
    x = input.to(dtype or input.dtype)
    x = (x.reshape(1) if x.dim() == 0 else x).movedim(dim, -1).contiguous()
    y = torch.empty_like(x)
    n = x.shape[-1]
    if x.numel():
        double = x.dtype == torch.float64
        rows, compute = x.numel() // n, tl.float64 if double else tl.float32
        kind = torch.float64 if double else torch.float32
        work = torch.empty((rows, 2), dtype=kind, device=x.device)
        rows_kernel[(rows,)](work, x, n, COMPUTE=compute, BLOCK=1024)
        divide_kernel[(rows, triton.cdiv(n, 1024))](y, x, work, n, COMPUTE=compute, BLOCK=1024)
    return y.movedim(-1, dim).reshape(input.shape)
