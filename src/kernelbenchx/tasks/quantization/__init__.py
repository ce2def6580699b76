"""Tasks of the category quantization."""
