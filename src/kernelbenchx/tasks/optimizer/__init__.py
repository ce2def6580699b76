"""Tasks of the category optimizer."""
