"""An elementwise kernel: what the times of attacks are compared with.

with: triton, relu_kernel, entry_relu
device: cuda
stage: perf
"""
