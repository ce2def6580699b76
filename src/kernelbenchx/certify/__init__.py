"""Certificates: a witness shows that a task can be solved, mutants that it tells wrong from right."""
