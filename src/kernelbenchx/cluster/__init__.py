"""Many machines: submissions judged by actors of a Ray cluster, and access to that cluster."""
