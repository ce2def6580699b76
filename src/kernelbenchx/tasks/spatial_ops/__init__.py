"""Tasks of the category spatial ops."""
