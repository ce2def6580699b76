"""What a Triton kernel imports."""

import torch
import triton
import triton.language as tl
