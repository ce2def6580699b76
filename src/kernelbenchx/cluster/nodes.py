"""Nodes of a cluster, and which of them may judge for a run."""

from dataclasses import dataclass

from kernelbenchx.cluster.messages import NodeFacts
from kernelbenchx.core.environment import Environment
from kernelbenchx.core.errors import KbxError
from kernelbenchx.runner.levels import Level


class ActorLost(KbxError):
    """An actor cannot reply any more; the message says how that was noticed."""


@dataclass(frozen=True)
class Node:
    """One machine, as Ray knows it."""

    ident: str
    host: str
    cpus: int
    gpus: int = 0
    gpu_kind: str = ""
    """As Ray names it, such as `H200`."""
    alive: bool = True

    @property
    def name(self) -> str:
        """A name for people: several nodes may be on one host."""
        return f"{self.host}/{self.ident[:8]}"


@dataclass(frozen=True)
class ActorPlan:
    """The actors of a run: with a GPU each, or one for the processors of a node."""

    device: str
    gpu_kind: str = ""
    """The only kind to use; empty for any."""
    jobs: int | None = None
    """Most submissions at once for each actor; by default as many as there are processors."""

    parked: int = 0
    """Submissions beyond these that wait for their GPU to be timed."""

    def count(self, node: Node) -> int:
        """How many actors a node gets."""
        if self.device == "cuda":
            return node.gpus
        return int(node.cpus > 0)

    def cpus(self, node: Node) -> int:
        """How many processors an actor of this node takes."""
        share = node.cpus // max(1, self.count(node))
        return share if self.jobs is None else min(self.jobs, share)

    def slots(self, node: Node) -> int:
        """How many submissions it has at once."""
        return max(1, self.cpus(node)) + self.parked

    def explain_refused_kind(self, node: Node) -> str:
        """Why the GPUs of a node are not the requested ones, or empty."""
        if self.device != "cuda" or not self.gpu_kind or node.gpu_kind == self.gpu_kind:
            return ""
        return f"its GPUs are {node.gpu_kind or 'of an unknown kind'}, not {self.gpu_kind}"


def why_refused(facts: NodeFacts, wanted: Environment) -> str:
    """Why a node may not judge for a run, or empty."""
    if facts.refused:
        return facts.refused
    if facts.level == Level.L1:
        return f"isolation L1 does not hide Ray from submissions ({'; '.join(facts.missing)})"
    here = facts.environment
    for name in Environment.__struct_fields__:
        own, others = getattr(here, name), getattr(wanted, name)
        if own != others:
            return f"{_WORDS.get(name, name)} {own or 'none'}, not {others or 'none'}"
    return ""


_WORDS = {"harness": "kernelbenchx", "gpu": "GPU", "python": "Python"}
