"""The parts of a Triton driver without a GPU; `worker.cross_compile` puts them together."""
