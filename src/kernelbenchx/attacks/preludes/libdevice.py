"""What a Triton kernel that calls libdevice imports."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
