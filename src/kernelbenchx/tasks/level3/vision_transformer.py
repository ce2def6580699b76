"""A vision transformer that attends along the wrong dimension, as published.

`ModelNew(image_size, patch_size, num_classes, dim, depth, heads, mlp_dim, channels=3, dropout=0.1,
emb_dropout=0.1)`. The image, of shape (batch, channels, image_size, image_size), is cut into
windows of patch_size x patch_size without overlap. The windows, in the order (batch, channels,
rows, columns, patch_size, patch_size), are read as (batch, patches, channels * patch_size ** 2).
`patch_to_embedding` takes these rows to width dim, `cls_token` goes before them, `pos_embedding` is
added. `transformer` is torch's encoder with `depth` layers, which takes the first dimension, the
batch, for the sequence: images attend to each other, patches do not. What stands in the first place
then goes through `mlp_head` (linear, GELU, linear). The dropout rates given are 0.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self,
        image_size: int,
        patch_size: int,
        num_classes: int,
        dim: int,
        depth: int,
        heads: int,
        mlp_dim: int,
        channels: int = 3,
        dropout: float = 0.1,
        emb_dropout: float = 0.1,
    ) -> None:
        super().__init__()
        patches = (image_size // patch_size) ** 2
        self.patch_size = patch_size
        self.pos_embedding = nn.Parameter(torch.randn(1, patches + 1, dim))
        self.patch_to_embedding = nn.Linear(channels * patch_size**2, dim)
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.dropout = nn.Dropout(emb_dropout)
        layer = nn.TransformerEncoderLayer(dim, heads, mlp_dim, dropout)
        self.transformer = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        inner, outer = nn.Linear(dim, mlp_dim), nn.Linear(mlp_dim, num_classes)
        self.mlp_head = nn.Sequential(inner, nn.GELU(), nn.Dropout(dropout), outer)

    def forward(self, img: torch.Tensor) -> torch.Tensor:
        size = self.patch_size
        windows = img.unfold(2, size, size).unfold(3, size, size)
        patches = windows.reshape(len(img), -1, size * size * img.shape[1])
        first = self.cls_token.expand(len(img), -1, -1)
        tokens = torch.cat((first, self.patch_to_embedding(patches)), dim=1)
        seen = self.transformer(self.dropout(tokens + self.pos_embedding))
        return self.mlp_head(seen[:, 0])  # type: ignore[no-any-return]


TASK = problem(
    Model,
    level=3,
    number=28,
    init=lambda side, patch, classes, heads, each, depth, inner: (
        side * patch, patch, classes, heads * each, depth, heads, inner, 3, 0.0, 0.0
    ),
    inputs=lambda x, side, patch, **_: (x(2, 3, side * patch, side * patch),),
    published={
        "side": 14, "patch": 16, "classes": 10, "heads": 8, "each": 64, "depth": 6, "inner": 2048
    },
    small=(
        {"side": 3, "patch": 2, "classes": 7, "heads": 3, "each": 5, "depth": 2, "inner": 17},
        {"side": 1, "patch": 1, "classes": 1, "heads": 1, "each": 2, "depth": 1, "inner": 3},
        {"side": 4, "patch": 4, "classes": 10, "heads": 2, "each": 16, "depth": 3, "inner": 65},
    ),
    ranges={"side": (1, 4), "patch": (1, 4), "classes": (1, 10), "depth": (1, 3)},
    unsound="an answer computed from another image passes: the result depends on weights only",
)  # fmt: skip
