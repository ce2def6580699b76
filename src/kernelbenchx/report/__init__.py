"""A static site from runs: opens from disk, needs nothing but a browser."""
