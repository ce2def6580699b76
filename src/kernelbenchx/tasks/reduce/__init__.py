"""Tasks of the category reduce."""
