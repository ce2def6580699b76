"""The trusted side of the border to a worker."""
