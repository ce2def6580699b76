"""The runner's side of timing: arguments in shared memory, calls when told, no verdict."""
