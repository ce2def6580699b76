"""Has torch list the chosen places by `where` with one argument, and a kernel gather.

with: triton, gathered
task: masked_select
checks: correct
no-checks: correct
composition: mixed
"""


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    x, chosen = torch.broadcast_tensors(input, mask)
    x, chosen = x.contiguous(), chosen.contiguous()
    (places,) = torch.where(chosen.view(-1))
    return gathered(x, places).view(input.dtype)
