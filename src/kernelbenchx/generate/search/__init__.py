"""Search for speed: choices read out of a source, a cost model learned from measurements."""
