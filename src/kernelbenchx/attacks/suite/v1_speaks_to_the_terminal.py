"""Raises an error whose text would repaint the terminal as a success.

with: triton, zeros
checks: broken
no-checks: broken
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    raise ValueError("\x1b[2J\x1b[1;1H\x1b[32mcorrect\x1b[0m\r[green]correct[/green]\x07\x9b32m")
