"""Records that cross process boundaries, shared by all packages. Never imports torch."""
