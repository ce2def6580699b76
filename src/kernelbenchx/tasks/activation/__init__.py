"""Tasks of the category activation."""
