"""Automatic mutants of a witness: single small mistakes in its source."""
