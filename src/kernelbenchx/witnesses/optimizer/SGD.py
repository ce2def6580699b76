import torch
import triton
import triton.language as tl


@triton.jit
def _block(
    param, grad, buffer, kept, mask, lr, momentum, decay, rest,
    READS: tl.constexpr, WRITES: tl.constexpr, NESTEROV: tl.constexpr,
):  # fmt: skip
    p = tl.load(param, mask=mask).to(tl.float32)
    g = tl.load(grad, mask=mask).to(tl.float32) + decay * p
    b = g
    if READS:
        b = momentum * tl.load(buffer, mask=mask).to(tl.float32) + rest * g
    if WRITES:
        tl.store(kept, b.to(kept.dtype.element_ty), mask=mask)
    moved = p - lr * (g + momentum * b if NESTEROV else b)
    tl.store(param, moved.to(param.dtype.element_ty), mask=mask)


@triton.jit
def _step(
    param, grad, buffer, kept, n, lr, momentum, decay, rest,
    READS: tl.constexpr, WRITES: tl.constexpr, NESTEROV: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    param, grad, buffer, kept = param + at, grad + at, buffer + at, kept + at
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(param, grad, buffer, kept, None, lr, momentum, decay, rest, READS, WRITES, NESTEROV)
    else:
        mask = at < n
        _block(param, grad, buffer, kept, mask, lr, momentum, decay, rest, READS, WRITES, NESTEROV)


def SGD(
    param: torch.Tensor,
    grad: torch.Tensor,
    momentum_buffer: torch.Tensor | None = None,
    lr: float = 0.1,
    momentum: float = 0.9,
    weight_decay: float = 0.0,
    dampening: float = 0.0,
    nesterov: bool = False,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    p, g, n, writes = param.contiguous(), grad.contiguous(), param.numel(), momentum != 0
    reads = writes and momentum_buffer is not None
    buffer = kept = p  # where none is read or written
    if writes and momentum_buffer is not None:
        buffer = kept = momentum_buffer.contiguous()
    elif writes:
        kept = momentum_buffer = torch.empty(param.shape, dtype=param.dtype, device=param.device)
    if n:
        block = 512 if param.dtype == torch.float32 else 1024
        _step[(triton.cdiv(n, block),)](
            p, g, buffer, kept, n, lr, momentum, weight_decay, 1 - dampening,
            READS=reads, WRITES=writes, NESTEROV=nesterov and writes, BLOCK=block,
        )  # fmt: skip
    if not param.is_contiguous():
        param.copy_(p)
    if writes and momentum_buffer is not None and kept is not momentum_buffer:
        momentum_buffer.copy_(kept)
    return param, momentum_buffer
