import torch

from kernelbenchx.spec.families.fused_optimizers import fused_takes, options


def test_the_fused_kernel_takes_contiguous_tensors_only() -> None:
    x = torch.ones(4, 6)
    assert fused_takes(x, x.clone())
    assert not fused_takes(x, x.t())
    assert not fused_takes(x, None)


def test_options_are_what_is_given_and_the_defaults_of_the_rest() -> None:
    def step(
        p: torch.Tensor, buffer: torch.Tensor | None = None, lr: float = 0.1, steps: int = 3
    ) -> None: ...

    assert options(step, {"lr": 0.5}) == {"lr": 0.5, "steps": 3}
