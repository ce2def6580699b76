"""Words and numbers from a worker: typed, bounded and printable, or refused.

The submission could steer the process that wrote everything here.
"""

from collections.abc import Iterator
from typing import Any

from kernelbenchx.worker.frames import Malformed

MAX_TEXT = 4000
_MAX_ITEMS = 100_000
_MAX_NUMBER = 1 << 62


def text(value: Any, most: int = MAX_TEXT) -> str:
    """One string that neither steers a terminal nor breaks an encoding."""
    if not isinstance(value, str):
        raise Malformed("a text is not a text")
    return printable(value[:most])


def printable(value: str) -> str:
    """Control characters and halves of pairs become visible stand-ins."""
    if value.isprintable():
        return value
    return "".join(one if one in "\n\t" or one.isprintable() else _escape(one) for one in value)


def number(value: Any) -> int:
    """One whole number that fits anywhere."""
    if type(value) is not int or abs(value) > _MAX_NUMBER:
        raise Malformed("a number is not a whole number of ordinary size")
    return value


def trace(header: dict[str, Any]) -> dict[str, Any]:
    """The parts of a trace that are used, each of the type it must have."""
    return {
        "ops": {text(name, 200): number(n) for name, n in _object(header, "ops").items()},
        "work": {text(name, 200): number(n) for name, n in _object(header, "work").items()},
        "launches": list(_iterate_named(header, "launches", "kernel")),
        "races": list(_iterate_named(header, "races", "kernel")),
        "undefined_loads": [
            _load(one) for one in _iterate_named(header, "undefined_loads", "kernel")
        ],
        "failures": list(_iterate_named(header, "failures", "kernel")),
        "flags": [text(flag, 200) for flag in _list(header, "flags")],
        "kernels": [_kernel(one) for one in _iterate_named(header, "kernels", "name")],
        "untried": [text(reason, 1000) for reason in _list(header, "untried")],
        "left_out": number(header.get("left_out", 0)),
        "guessed": [text(kernel, 200) for kernel in _list(header, "guessed")],
        "binaries": [_binary(one) for one in _list(header, "binaries")],
        "refused": [number(one) for one in _list(header, "refused")],
        "state": [text(one, 200) for one in _list(header, "state")],
        "differences": [
            _difference(one) for one in _iterate_named(header, "differences", "kernel")
        ],
        "weights": text(header.get("weights", ""), 10),
    }


def plain(value: Any, depth: int = 0) -> Any:
    """JSON as it came, with printable texts; what is nested too deeply is refused."""
    if depth > 16:
        raise Malformed("a trace is nested too deep")
    if isinstance(value, str):
        return printable(value[:MAX_TEXT])
    if isinstance(value, list):
        return [plain(item, depth + 1) for item in value[:_MAX_ITEMS]]
    if isinstance(value, dict):
        return {printable(name[:200]): plain(item, depth + 1) for name, item in value.items()}
    return value


def _escape(one: str) -> str:
    return one.encode("unicode_escape").decode()


def _object(header: dict[str, Any], name: str) -> dict[str, Any]:
    found = header.get(name, {})
    if not isinstance(found, dict) or len(found) > _MAX_ITEMS:
        raise Malformed(f"`{name}` of a trace is not an object")
    return found


def _list(header: dict[str, Any], name: str) -> list[Any]:
    found = header.get(name, [])
    if not isinstance(found, list) or len(found) > _MAX_ITEMS:
        raise Malformed(f"`{name}` of a trace is not a list")
    return found


def _load(said: dict[str, Any]) -> dict[str, Any]:
    """A load of a kernel, at a line."""
    return {"kernel": text(said["kernel"], 200), "line": number(said.get("line"))}


def _difference(said: dict[str, Any]) -> dict[str, Any]:
    """Where a kernel is another one for the compiler."""
    kernel, line, why = text(said["kernel"], 200), number(said.get("line")), said.get("why")
    return {"kernel": kernel, "line": line, "why": text(why, 200)}


def _binary(said: Any) -> dict[str, int]:
    """What the binary of a launch needs."""
    if not isinstance(said, dict):
        raise Malformed("a binary is not an object")
    return {name: number(said.get(name)) for name in ("number", "registers", "shared_bytes")}


def _kernel(said: dict[str, Any]) -> dict[str, Any]:
    """A compiled kernel: numbers where it is counted, an object where an error stands."""
    for name in ("registers", "spills", "shared_bytes"):
        if said.get(name) is not None:
            number(said[name])
    for one in _list(said, "refused"):
        number(one)
    error = said.get("error")
    if error is None:
        return said
    if not isinstance(error, dict):
        raise Malformed("the error of a kernel is not an object")
    text(error.get("message", ""))
    for name in ("line", "column"):
        number(error.get(name) or 0)
    return said


def _iterate_named(header: dict[str, Any], name: str, key: str) -> Iterator[dict[str, Any]]:
    """Objects that name their kernel."""
    for item in _list(header, name):
        if not isinstance(item, dict) or not isinstance(item.get(key), str):
            raise Malformed(f"`{name}` of a trace holds something without a {key}")
        yield plain(item)
