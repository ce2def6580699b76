"""Tasks of the category matrix multiply."""
