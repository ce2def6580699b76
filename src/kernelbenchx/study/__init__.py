"""Studies: many runs from one file, with one seed, one budget, one analysis and one report."""
