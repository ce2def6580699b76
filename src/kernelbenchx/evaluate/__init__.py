"""The pipeline: stages in order, many submissions at once."""
