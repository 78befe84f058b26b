"""What the drivers share: JSON lines on stdin and stdout, and the vectors that every peer gets.

A driver is started with one JSON object, its options: `folder`, where it may keep data, and what its own docstring
names. It says {"ready": VERSIONS} or {"absent": REASON}, then answers each line: {"do": "learn", "path"} reads vectors,
{"do": "index", "tenant", "language", "units"} and {"do": "search", "tenant", "query", "top"} give the seconds that the
peer's own calls took, a search also the ids of the units, best first.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

Unit = dict[str, str]  # id, session, text, role, timestamp


class Vectors:
    """The vector of each text, made beforehand by the packaged embedder; KeyError for a text that it was not given.

    Blanks around a text don't count: mem0 takes them off a query.
    """

    def __init__(self) -> None:
        self._rows: dict[str, NDArray[np.float32]] = {}

    def learn(self, path: str) -> None:
        """`path`.npy has a row for each text of `path`.json."""
        import numpy as np

        texts = json.loads(Path(f"{path}.json").read_text(encoding="utf-8"))
        self._rows.update(zip(map(str.strip, texts), np.load(f"{path}.npy"), strict=True))

    def __getitem__(self, text: str) -> NDArray[np.float32]:
        return self._rows[text.strip()]


class Peer(Protocol):
    """One peer; each tenant is a store of its own, which is the kindest to its speed and to its word statistics."""

    def index(self, tenant: str, language: str, units: Sequence[Unit]) -> None:
        """Everything of the tenant, searchable when this returns."""

    def search(self, tenant: str, query: str, top: int) -> list[str]:
        """Ids of units, best first."""


def serve(make: Callable[[dict[str, Any], Vectors], Peer], packages: Sequence[str]) -> None:
    """Answer stdin until it ends. What the peer itself prints goes to stderr."""
    lines, sys.stdout = _own(sys.stdout), sys.stderr
    vectors = Vectors()
    try:
        peer = make(json.loads(sys.argv[1]), vectors)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is why this peer is absent
        _say(lines, {"absent": f"{type(error).__name__}: {error}"})
        return
    _say(lines, {"ready": ", ".join(f"{package} {version(package)}" for package in packages)})
    for line in sys.stdin:
        try:
            _say(lines, {"answer": _answer(peer, vectors, json.loads(line))})
        except Exception as error:  # noqa: BLE001 - whatever it is, it goes to the bench
            _say(lines, {"broken": f"{type(error).__name__}: {error}"})


def _answer(peer: Peer, vectors: Vectors, asked: dict[str, Any]) -> dict[str, Any]:
    action = asked.pop("do")
    started = time.perf_counter()
    if action == "learn":
        vectors.learn(asked["path"])
        return {}
    if action == "index":
        peer.index(**asked)
        return {"seconds": time.perf_counter() - started}
    found = peer.search(**asked)
    return {"seconds": time.perf_counter() - started, "found": found}


def _own(stream: TextIO) -> TextIO:
    """The stream under another descriptor, so that native code which prints does not write between the lines."""
    kept = os.fdopen(os.dup(stream.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), stream.fileno())
    return kept


def _say(lines: TextIO, reply: dict[str, Any]) -> None:
    lines.write(json.dumps(reply) + "\n")
    lines.flush()
