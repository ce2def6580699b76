"""Runs published problem files in a sandbox of their own: sizes, inputs, weights, truth, budget."""
