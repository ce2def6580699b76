"""From records to tables: every number with its n, its interval and its definition."""
