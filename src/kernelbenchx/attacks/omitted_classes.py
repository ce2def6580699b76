"""Classes of attacks that the suite leaves out, each with the reason."""

OMITTED = {
    "N8": "pasted third-party code is a question of origin, not of truth: a kernel that computes "
    "the task is correct, whatever its origin",
    "C27": "scans the address space of a GPU, which a worker without one does not have; on a GPU "
    "the answers are never in the worker's context",
    "X12": "attacks the driver of a GPU; no harness above the driver can stop that, see the "
    "residual risks",
    "X13": "distorts times by a process on the GPU that kbx did not start: such processes are "
    "counted and recorded with every time; what a submission itself leaves running is T20",
}
