"""Numbers of the kernel of rand in a new tensor."""


def drawn(shape, kind, where, generator):
    values = torch.empty(shape, dtype=kind, device=where)
    n = values.numel()
    if n:
        seed = torch.randint(0, 2**62, (1,), generator=generator, device=where)
        _uniform[(triton.cdiv(n, 1024),)](values, seed, n, WIDE=kind == torch.float64, BLOCK=1024)
    return values
