"""The trusted side of the boundary to a worker."""
