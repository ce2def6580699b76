"""Results in one SQLite file per run: one writer, crash-safe, keyed by content. No torch."""
