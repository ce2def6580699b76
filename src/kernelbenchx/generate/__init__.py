"""Models write kernels: requests, replies and the evaluation of what they hold."""
