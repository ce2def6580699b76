"""The catalogue: one folder per category, one file per task."""
