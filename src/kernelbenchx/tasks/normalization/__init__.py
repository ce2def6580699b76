"""Tasks of the category normalization."""
