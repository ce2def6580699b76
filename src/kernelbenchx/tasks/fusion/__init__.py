"""Tasks of the category fusion."""
