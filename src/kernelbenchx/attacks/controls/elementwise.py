"""An elementwise kernel over a flat tensor.

with: triton, relu_kernel, entry_relu
"""
