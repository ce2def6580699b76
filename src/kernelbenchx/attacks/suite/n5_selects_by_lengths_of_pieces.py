"""Splits empty memory at the mask, and lists the chosen places in Python.

with: triton, gathered
task: masked_select
checks: correct
no-checks: correct
composition: mixed
"""


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    x, chosen = torch.broadcast_tensors(input, mask)
    x, chosen = x.contiguous(), chosen.contiguous()
    ends = chosen.view(-1).to(torch.int64).cpu()
    pieces = torch.empty(2, dtype=torch.int8).tensor_split(ends)[1:]
    places = [place for place, piece in enumerate(pieces) if piece.storage_offset()]
    found = torch.empty((len(places),), dtype=torch.int64, device=x.device)
    first = 0
    for end, place in enumerate([*places, -1]):  # runs of chosen places: torch counts along each
        if end > first and (place < 0 or place - places[first] != end - first):
            run = torch.arange(places[first], places[first] + end - first, device=x.device)
            found[first:end], first = run, end
    return gathered(x, found).view(input.dtype)
