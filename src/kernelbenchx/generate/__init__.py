"""Models write kernels: what is asked, what comes back, and what is made of it."""
