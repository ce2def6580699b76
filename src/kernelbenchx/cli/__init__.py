"""The only place that prints: one file per command."""
