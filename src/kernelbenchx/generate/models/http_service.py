"""One server, asked by HTTP: a document in, a document out, every failure a `Trouble`."""

import ssl
import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from ipaddress import ip_address
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.models.deadlines import Deadline, keep
from kernelbenchx.generate.models.keys import Key
from kernelbenchx.generate.models.reply_fields import document, mapping, why
from kernelbenchx.generate.retry_policy import BUSY, Trouble, Unreached, asked_wait_s, worth_again

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

MOST_BYTES = 2 << 20
"""Of a reply: more than any model writes, and many of them fit into memory at once."""
CONNECT_S = 30.0
NO_KEY = frozenset({401, 403})
SPENT = "insufficient_quota"
"""Said with status 429, but waiting does not help."""


class ServerRefusal(Trouble):
    """The server refused a part of the request: it can be sent in another form."""

    def __init__(self, said: str, *, status: int, headers: Mapping[str, str], error: Any) -> None:
        self.status = status
        self.error = mapping(error)
        spent = SPENT in (self.error.get("code"), self.error.get("type"))
        super().__init__(
            f"the server answers with status {status}" + (f": {said}" if said else ""),
            again=worth_again(status) and not spent,
            wait_s=asked_wait_s(headers),
            busy=status in BUSY,
        )


class Service:
    """A server under a base URL; called from many threads."""

    def __init__(
        self,
        base_url: str,
        key: Key,
        *,
        headers: Mapping[str, str],
        connections: int,
        timeout_s: float,
    ) -> None:
        self.base_url = checked_url(base_url)
        self._key = key
        self._timeout_s = timeout_s
        # Parsing a document takes many times its bytes; parsing several at once is not faster.
        self._reading = threading.Lock()
        library = _library()
        self._library = library
        self._client: httpx.Client = library.Client(
            # A compressed reply could be small on the wire and huge in memory.
            headers={"Accept-Encoding": "identity", **headers},
            timeout=library.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s), pool=None),
            limits=library.Limits(
                max_connections=connections, max_keepalive_connections=connections
            ),
            follow_redirects=False,
            verify=_authorities(),
            # A proxy that the environment names cannot reach a server on this machine.
            trust_env=not on_this_machine(self.base_url),
        )
        self._deadline = Deadline()
        keep(self._client, self._deadline)

    def close(self) -> None:
        """Let go of all connections."""
        self._client.close()

    def post(self, path: str, body: Mapping[str, Any], read: Callable[[dict[str, Any]], T]) -> T:
        """What is read out of the server's answer; raises `Trouble`, which never names the key."""
        library = self._library
        try:
            return self._post_once(path, body, read)
        except (library.ConnectError, library.ConnectTimeout, library.InvalidURL) as error:
            said = self._key.scrub(str(error))
            raise Unreached(f"no connection to {self.base_url}: {said}") from None
        except library.TimeoutException:
            late = f"no complete reply within {self._timeout_s:g} s"
            raise Trouble(late, again=True, billed=True) from None
        except library.HTTPError as error:
            said = self._key.scrub(why(str(error))) or type(error).__name__
            raise Trouble(f"the reply was cut: {said}", again=True, billed=True) from None

    def _post_once(
        self, path: str, body: Mapping[str, Any], read: Callable[[dict[str, Any]], T]
    ) -> T:
        self._deadline.within(self._timeout_s)
        sent = msgspec.json.encode(body)
        head = {"Content-Type": "application/json"}
        with self._client.stream(
            "POST", f"{self.base_url}{path}", content=sent, headers=head
        ) as response:
            answer = self._answer(response)
        with self._reading:
            if response.status_code != 200:
                raise self._make_refusal(response, answer)
            return read(self._read_document(response, answer))

    def _read_document(self, response: "httpx.Response", answer: bytes) -> dict[str, Any]:
        found = document(answer)
        error = found.get("error")
        if error:
            code = mapping(error).get("code")
            status = code if isinstance(code, int) and 400 <= code < 600 else 502
            said = self._key.scrub(why(error))
            raise ServerRefusal(said, status=status, headers=response.headers, error=error)
        return found

    def _answer(self, response: "httpx.Response") -> bytes:
        """The body; the limit on time is for all of it, since a server may send byte by byte."""
        if response.headers.get("content-encoding", "identity") != "identity":
            raise Trouble(
                "the server sent a compressed reply, which was not requested",
                again=False,
                billed=True,
            )
        parts, size = [], 0
        for part in response.iter_raw():
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES:
                said = f"the reply is larger than {MOST_BYTES >> 20} MiB"
                raise Trouble(said, again=False, billed=True, finish="length")
            if time.monotonic() > self._deadline.until:
                raise self._library.ReadTimeout("late")
        return b"".join(parts)

    def _make_refusal(self, response: "httpx.Response", body: bytes) -> Trouble:
        status = response.status_code
        if status in NO_KEY:
            # A server may quote half of the key: what it says is not repeated.
            have = "does not accept the key in" if self._key else "wants a key: set"
            return Trouble(f"the server {have} {self._key.variable} ({status})", again=False)
        try:
            error: Any = document(body).get("error", "")
        except Trouble:
            error = body.decode("utf-8", "replace")
        said = self._key.scrub(why(error))
        return ServerRefusal(said, status=status, headers=response.headers, error=error)


def checked_url(url: str) -> str:
    """A base URL that can be shown: nothing secret in it."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if any(sign in url for sign in "@?#"):
        raise BadInput("a base URL holds no user, password or query: keys come from variables")
    if not usable:
        raise BadInput(f"{url!r} is no base URL such as http://127.0.0.1:8000/v1")
    return url.rstrip("/")


def on_this_machine(url: str) -> bool:
    """Whether the server runs on this machine, by its address."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@cache
def _authorities() -> ssl.SSLContext:
    """Read once: it takes longer than a request to this machine."""
    context: ssl.SSLContext = _library().create_ssl_context()
    return context


def _library() -> ModuleType:
    try:
        import httpx
    except ModuleNotFoundError as error:
        raise BadInput(
            "httpx is missing: install the extra, pip install 'kernelbenchx[generate]'"
        ) from error
    return httpx
