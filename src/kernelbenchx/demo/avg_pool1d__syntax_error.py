import torch
import triton

def avg_pool1d(input, kernel_size, stride=None, padding=0)
    return input
