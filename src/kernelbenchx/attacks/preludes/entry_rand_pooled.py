"""Calls `pooled` of the file for large results."""

...


def rand(
    *size: Any,
    generator: torch.Generator | None = None,
    out: torch.Tensor | None = None,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> torch.Tensor:
    shape, kind, where = _asked(size, generator, out, dtype, device)
    if generator is None or torch.Size(shape).numel() < LARGE:
        values = drawn(shape, kind, where, generator)
    else:
        values = pooled((shape, kind, where), generator)
    return values if out is None else out.copy_(values)
