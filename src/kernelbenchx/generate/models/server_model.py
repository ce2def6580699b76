"""A model behind a server: its key and address are found, its requests keep the run's limits."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Reply, Request
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.models.http_service import Service
from kernelbenchx.generate.models.keys import Key, key_from
from kernelbenchx.generate.models.reply_fields import held_to
from kernelbenchx.generate.retry_loop import Caller


class ServerModel(ABC):
    """One model of a server; what its protocol is, a file for each says."""

    HOME: ClassVar[str]
    """Where the protocol's own service is, which wants a key."""
    KEY: ClassVar[str]
    URL: ClassVar[str]
    """Variables of the environment."""
    ADVICE: ClassVar[str] = ""
    """What else one can do where there is no key."""

    def __init__(
        self, name: str, caller: Caller, *, base_url: str | None, environment: Mapping[str, str]
    ) -> None:
        key = key_from(environment, self.KEY)
        root = base_url or environment.get(self.URL) or self.HOME
        if root == self.HOME and not key:
            raise BadInput(f"set {self.KEY}{self.ADVICE}")
        self._name = name
        self._key = key
        self._caller = caller
        self._service = Service(
            self._address(root),
            key,
            headers=self._headers(key),
            connections=caller.flight.limit,
            timeout_s=caller.patience.timeout_s,
        )

    @property
    def name(self) -> str:
        """As the server knows it."""
        return self._name

    def complete(self, request: Request, step: MethodStep) -> Reply:
        """Raises `Stopped` and nothing else."""
        return self._caller.call(request, step, lambda: self._once(request))

    def close(self) -> None:
        """Let go of all connections."""
        self._service.close()

    def _address(self, root: str) -> str:
        return root

    @abstractmethod
    def _headers(self, key: Key) -> dict[str, str]:
        """Of every request; without the key where there is none."""

    @abstractmethod
    def _once(self, request: Request) -> Reply:
        """One try; raises `Trouble`."""

    @abstractmethod
    def _parse_reply(self, found: Mapping[str, Any], request: Request) -> Reply:
        """The reply in a document; raises `Trouble` where it holds none."""

    def _post_request(self, path: str, body: Mapping[str, Any], request: Request) -> Reply:
        """What the server answers: without the key, and no longer than was asked for."""
        return self._service.post(
            path,
            body,
            lambda found: held_to(
                request, self._key.scrub_reply(self._parse_reply(found, request))
            ),
        )
