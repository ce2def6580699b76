"""Runs the sandbox as an ordinary user, also where only root may enter the interpreter's folder.

Builds a view of the machine in which everything needed is readable, becomes another user there,
starts Python anew, and prints as JSON what this user got.
"""

import json
import os
import sys
from pathlib import Path

USER = 12345


def become_ordinary(wanted: str) -> None:
    from kernelbenchx.runner import readable_paths
    from kernelbenchx.worker import capabilities, namespaces, private_root

    here = Path(__file__).resolve().parent
    at = Path(sys.argv[1])
    namespaces.enter(mapped=False)
    extra = (str(here), *os.environ["PYTHONPATH"].split(os.pathsep))
    private_root.build(str(at), readable_paths.roots(device=False, extra=extra), ())
    # A user's own folder: what a child has in the place of PRIVATE would cover ours.
    (at / "home").mkdir()
    namespaces.mount("tmpfs", str(at / "home"), "tmpfs", 0, "size=64m,mode=1777")
    private_root.switch(str(at))
    capabilities.renounce(USER)
    environment = {
        "PYTHONPATH": os.environ["PYTHONPATH"],
        "PATH": "/usr/bin:/bin",
        "TMPDIR": "/home",
    }
    command = [sys.executable, str(here / "ordinary.py"), "inside", wanted]
    os.execve(sys.executable, command, environment)


def report(wanted: str) -> None:
    from kernelbenchx.runner.isolation import choose
    from kernelbenchx.runner.scratch import Scratch
    from kernelbenchx.runner.zygote import Zygote
    from kernelbenchx.runner.zygote_process import Start
    from kernelbenchx.worker.limits import Limits

    isolation = choose(wanted or None)
    start = Start(main="stub:serve", modules=(Path(__file__).parent / "stub.py",))
    child = b"""
import os, time
print(os.getuid(), os.getpid())
system_file = "/proc/self/" + "root/etc/passwd"
for action in (lambda: open(system_file, "a"), lambda: os.kill(os.getppid(), 0)):
    try:
        action()
        print("got")
    except OSError:
        print("refused")
try:
    children = 0
    while children < 200:
        if os.fork() == 0:
            time.sleep(600)
        children += 1
except OSError:
    pass
print(children, flush=True)
if children == 200:
    time.sleep(600)  # nobody refused: then somebody must notice
"""
    with Scratch() as scratch, Zygote("plain", isolation, start=start) as zygote:
        limits = Limits(wall_s=60, processes=50)
        ending = zygote.run(scratch.order("a", child), scratch.result("a"), limits)
        again = zygote.run(scratch.order("b", b"print('fine')"), scratch.result("b"), limits)
    facts = {
        "uid": os.getuid(),
        "level": isolation.level,
        "missing": isolation.missing,
        "identity": isolation.identity,
        "log": ending.log.split(),
        "over": ending.over,
        "lost": ending.lost,
        "again": again.log,
    }
    sys.stdout.write(json.dumps(facts) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "inside":
        report(sys.argv[2])
    else:
        become_ordinary(sys.argv[2])
