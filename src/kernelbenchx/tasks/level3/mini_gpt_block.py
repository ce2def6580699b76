"""A transformer block as in minGPT: causal self-attention, then an MLP, each with a shortcut.

`ModelNew(n_embd, n_head, attn_pdrop, resid_pdrop, max_seqlen)`. x has shape (batch, seq, n_embd),
seq at most max_seqlen. y = x + attn(ln_1(x)); the result is y + mlp(ln_2(y)). The mean of a row may
be large compared to its spread. `attn.c_attn` makes queries, keys and values, in this order; each
head takes n_embd / n_head neighbouring columns; scores are divided by the square root of that
width, and later positions are masked. The MLP is `mlp.c_fc` (four times as wide), GELU by tanh,
`mlp.c_proj`. Both dropout rates are 0. The mask is the buffer `attn.bias` of shape (1, 1,
max_seqlen, max_seqlen): 1 on and below the diagonal.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Attention(nn.Module):
    def __init__(
        self, n_embd: int, n_head: int, attn_pdrop: float, resid_pdrop: float, max_seqlen: int
    ) -> None:
        super().__init__()
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        self.attn_dropout = nn.Dropout(attn_pdrop)
        self.resid_dropout = nn.Dropout(resid_pdrop)
        self.bias: torch.Tensor
        self.register_buffer("bias", torch.ones(1, 1, max_seqlen, max_seqlen).tril())
        self.n_head = n_head

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, seq, wide = x.shape
        parts = self.c_attn(x).view(batch, seq, 3, self.n_head, wide // self.n_head)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-2, -1) * (wide // self.n_head) ** -0.5
        scores = scores.masked_fill(self.bias[:, :, :seq, :seq] == 0, float("-inf"))
        mixed = self.attn_dropout(F.softmax(scores, dim=-1)) @ value
        projected = self.c_proj(mixed.transpose(1, 2).reshape(batch, seq, wide))
        return self.resid_dropout(projected)  # type: ignore[no-any-return]


class Model(nn.Module):
    def __init__(
        self, n_embd: int, n_head: int, attn_pdrop: float, resid_pdrop: float, max_seqlen: int
    ) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd)
        self.attn = Attention(n_embd, n_head, attn_pdrop, resid_pdrop, max_seqlen)
        self.ln_2 = nn.LayerNorm(n_embd)
        inner, outer = nn.Linear(n_embd, 4 * n_embd), nn.Linear(4 * n_embd, n_embd)
        self.mlp = nn.ModuleDict({"c_fc": inner, "c_proj": outer})
        self.dropout = nn.Dropout(resid_pdrop)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = x + self.attn(self.ln_1(x))
        inner = F.gelu(self.mlp["c_fc"](self.ln_2(y)), approximate="tanh")
        out: torch.Tensor = self.dropout(self.mlp["c_proj"](inner))
        return y + out


TASK = problem(
    Model,
    level=3,
    number=44,
    init=lambda heads, each, longest, **_: (heads * each, heads, 0.0, 0.0, longest),
    inputs=lambda x, batch, seq, heads, each, **_: (x(batch, seq, heads * each),),
    published={"batch": 128, "seq": 512, "heads": 8, "each": 96, "longest": 1024},
    small=(
        {"batch": 2, "seq": 9, "heads": 3, "each": 5, "longest": 40},
        {"batch": 1, "seq": 1, "heads": 1, "each": 8, "longest": 40},
        {"batch": 2, "seq": 35, "heads": 2, "each": 24, "longest": 40},
    ),
    ranges={"batch": (1, 3), "seq": (1, 40), "heads": (1, 4), "each": (2, 20)},
    never_long=("seq",),
    rare=("far",),
)
