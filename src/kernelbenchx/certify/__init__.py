"""Certificates: witnesses show that tasks can be solved, mutants that they tell wrong answers."""
