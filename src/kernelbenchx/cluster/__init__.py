"""Many machines: actors of a Ray cluster judge submissions, with access control for the cluster."""
