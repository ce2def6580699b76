"""Settings of a zygote: its kind, the isolation level, what its children may see."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Policy:
    """What a kind of child needs beyond pure computing in one process."""

    processes: bool
    """May start programs: a C compiler, an assembler."""
    device: bool
    """Uses a GPU: reserves huge address ranges, opens device files and unix sockets."""
    torch: bool = True


KINDS: dict[str, Policy] = {
    "interpret": Policy(processes=False, device=False),
    "compile": Policy(processes=True, device=False),
    "cuda": Policy(processes=True, device=True),
    # Compiles for the children of "cuda", without their GPU; what goes wrong there is no verdict.
    "ahead": Policy(processes=True, device=False),
    # Runs published problem files, which are foreign code, and no submission.
    "problem": Policy(processes=False, device=False),
    # The same files at their published sizes, on a GPU.
    "timed_problem": Policy(processes=True, device=True),
    # Without torch, so that the sandbox itself can be probed in milliseconds.
    "plain": Policy(processes=True, device=False, torch=False),
    "sealed": Policy(processes=False, device=False, torch=False),
}


@dataclass(frozen=True)
class WorkerSettings:
    """The whole configuration of one zygote; written by the trusted side only."""

    kind: str
    level: str
    identity: str
    """Whose rights a child has at L3: `other` uid, `mapped` in a user namespace, `same`."""
    main: str
    """`module:function` that serves an order in the child."""
    paths: tuple[str, ...]
    """`sys.path` entries: the copy of this package and the folders of installed packages."""
    roots: tuple[str, ...]
    """Files and folders a child may read."""
    hidden: tuple[str, ...]
    """What lies inside `roots` and must not be read all the same."""
    private: str
    """A folder of the zygote's own, for the children's temporary folders below L3."""
    first_uid: int = 61_000
    """Children become this user or one of the next, one each, where `identity` is `other`."""
    warm_order: bool = False
    """One trusted order comes with the settings, to be served once before the first fork."""

    @property
    def policy(self) -> Policy:
        return KINDS[self.kind]

    @property
    def confined(self) -> bool:
        return self.level >= "L2"

    @property
    def namespaced(self) -> bool:
        return self.level >= "L3"

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def settings_from_json(text: str | bytes) -> WorkerSettings:
    """The inverse of `WorkerSettings.to_json`."""
    fields = json.loads(text)
    for name in ("paths", "roots", "hidden"):
        fields[name] = tuple(fields[name])
    return WorkerSettings(**fields)
