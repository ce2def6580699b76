"""Tasks of the category index."""
