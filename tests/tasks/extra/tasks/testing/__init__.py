"""A category for tests alone."""
