"""Tasks of the category random."""
