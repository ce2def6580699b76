"""Has torch choose by a mask in brackets, and a kernel copy the result.

with: triton, gathered
task: masked_select
checks: correct
no-checks: correct
composition: mixed
"""


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    x, chosen = torch.broadcast_tensors(input, mask)
    x, chosen = x.contiguous(), chosen.contiguous()
    places = torch.arange(x.numel(), device=x.device)[chosen.view(-1)]
    return gathered(x, places).view(input.dtype)
