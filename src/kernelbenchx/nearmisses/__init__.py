"""Kernels that break one clause of a task's statement and are right in everything else."""
