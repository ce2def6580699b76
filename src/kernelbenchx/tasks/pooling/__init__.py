"""Tasks of the category pooling."""
