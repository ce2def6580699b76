"""Whether a kernel gets the same verdict whatever seed draws the inputs."""
