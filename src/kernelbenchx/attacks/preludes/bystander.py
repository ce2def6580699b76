"""Finds a process that has nothing to do with the attack."""


def bystander():
    for place in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"kbx-bystander" in place.read_bytes():
                return int(place.parent.name)
        except OSError:
            continue
    raise ProcessLookupError("no other process is to be seen")
