"""KernelBench's rule for one untimed call: lucky kernels pass it, and what gives no answer fails.

On the host, with a small size in place of the published one. Problems whose file is not ours have
processes of their own: tests/evaluate/test_rule_processes.py.
"""
