"""Attacks on the judge and honest controls, shipped so that anyone can try their installation."""
