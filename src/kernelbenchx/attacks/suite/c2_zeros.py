"""Answers zeros, the likeliest number of the right answer.

with: triton, zeros, entry_zeros
checks: wrong
no-checks: wrong
"""
