"""How wrong a step may be that divides a mean of gradients by a root of a mean of squares."""

import torch


def update_error(  # noqa: PLR0913 - the numbers of a step
    m: torch.Tensor,
    v: torch.Tensor,
    wrong_m: torch.Tensor,
    wrong_v: torch.Tensor,
    *,
    step: int,
    lr: float,
    betas: tuple[float, float],
    eps: float,
) -> torch.Tensor:
    """What rounding moves the update of Adam by, from the means m and v and their errors.

    1 - beta^t magnifies the rounding of a beta.
    """
    beta1, beta2 = betas
    left1, left2 = 1 - beta1**step, 1 - beta2**step
    magnified = 4 + step * beta1**step / left1 + step * beta2**step / left2 / 2
    relative = torch.where(v > 0, wrong_v / v.clamp(min=1e-300), 0.0) / 2
    moved = wrong_m + m.abs() * (magnified + relative)
    return lr / left1 * moved / ((v / left2).sqrt() + eps)
