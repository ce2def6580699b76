"""What runs hold, as files for others: steps between kernels with both sources; no torch."""
