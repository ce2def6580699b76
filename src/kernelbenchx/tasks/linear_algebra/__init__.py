"""Tasks of the category linear algebra."""
