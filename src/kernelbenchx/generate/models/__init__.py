"""The models: whoever answers requests, one file for every way to reach one."""
