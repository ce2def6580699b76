"""Static rules over a parsed submission, before anything of it runs."""
