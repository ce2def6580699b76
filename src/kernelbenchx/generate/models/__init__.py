"""The models that answer requests: one file for every way to reach one."""
