"""KernelBench problems of level 2."""
