"""The parts of a Triton driver without a GPU; `worker.compiling` puts them together."""
