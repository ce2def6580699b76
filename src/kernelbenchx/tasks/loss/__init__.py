"""Tasks of the category loss."""
