"""The runner's side of timing: arguments in shared memory, calls on request, no verdict."""
