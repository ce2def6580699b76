"""Tasks of the category math."""
