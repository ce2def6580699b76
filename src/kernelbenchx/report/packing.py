"""Data files that a page from disk can load: a script that hands one packed text to the app.

A browser refuses requests from `file://` but runs scripts. What is inside is compressed and then
written in letters, digits, `+`, `/` and `=` alone, so that no text of a submission can end the
script or become one.
"""

import base64
import json
import zlib
from pathlib import Path
from typing import Any

LEVEL = 3
"""Of compression: higher ones cost more time than they save space."""
_GZIP = 16 + zlib.MAX_WBITS


def encode_document(document: Any) -> bytes:
    """Compact JSON; infinities are refused, since browsers cannot read them."""
    # Escaped: a lone half of a character pair, which a source may hold, has no UTF-8.
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode("ascii")


def pack_document(name: str, document: bytes) -> bytes:
    """The script that hands over one JSON document under a name that the app knows."""
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, _GZIP)
    small = compressor.compress(document) + compressor.flush()
    return b'kbx.put("' + name.encode("ascii") + b'","' + base64.b64encode(small) + b'");\n'


def write(folder: Path, name: str, document: bytes) -> None:
    """`name` may hold a folder: `tasks/12`."""
    path = folder / f"{name}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pack_document(name, document))
