"""KernelBench problems of level 1."""
