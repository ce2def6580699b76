"""KernelBench problems of level 3."""
