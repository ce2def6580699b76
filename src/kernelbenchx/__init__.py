"""KernelBench-X: where do LLM-written GPU kernels break down, and can you trust the answer?"""

__version__ = "0.1.0"

__all__ = ["__version__"]
