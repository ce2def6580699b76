"""Tasks of the category convolution."""
