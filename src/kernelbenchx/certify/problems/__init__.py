"""Certificates of KernelBench problems, in named grades."""
