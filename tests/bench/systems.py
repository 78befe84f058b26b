"""What is compared: a system takes conversations and answers questions. Peers run in processes of their own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from tests.clients.conversations import Conversation

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "build" / "peers" / "venv" / "bin" / "python"
DRIVERS = Path(__file__).with_name("peer_drivers")
TOP = 50
HYBRID = "LanceDB hybrid"
KEYWORD = "mem0 with BM25"
DENSE = "mem0"
WRITES = (HYBRID, KEYWORD, DENSE)  # these keep what they are given in files, as the service does
PEERS: dict[str, tuple[str, dict[str, Any]]] = {
    HYBRID: ("lancedb_hybrid.py", {}),
    DENSE: ("mem0_memory.py", {"keyword": False}),
    KEYWORD: ("mem0_memory.py", {"keyword": True}),
    "LangGraph store": ("langgraph_store.py", {}),
    "engram-search": ("engram_pipeline.py", {}),
}


class PeerFailed(Exception):
    """The peer can't run here, or an answer of it is an error; in its own words."""


@dataclass(frozen=True)
class Answer:
    """Distinct turns, best first, and the seconds of the search alone."""

    turns: tuple[str, ...]
    seconds: float


class System(Protocol):
    """The service or a peer."""

    name: str

    def index(self, talk: Conversation, language: str) -> float:
        """Seconds until the conversation is searched, its first search included, embedding left out."""

    def search(self, tenant: str, query: str) -> Answer:
        """The best `TOP`."""


class PeerProcess:
    """A driver of peer_drivers/, asked over pipes."""

    def __init__(self, name: str, process: subprocess.Popen[str], log: Path) -> None:
        self.name = name
        self.versions = ""
        self._process = process
        self._log = log

    def begin(self) -> None:
        """Wait until it is there; PeerFailed with its reason."""
        said = self._heard()
        if "ready" not in said:
            raise PeerFailed(said["absent"])
        self.versions = said["ready"]

    def learn(self, vectors: Path) -> None:
        """Hand over vectors: `vectors`.json and `vectors`.npy."""
        self._ask(do="learn", path=str(vectors))

    def index(self, talk: Conversation, language: str) -> float:
        """One unit for each turn."""
        units = [
            {
                "id": message["messageId"],
                "session": run,
                "text": said(message),
                "role": message["role"],
                "timestamp": message["timestamp"],
            }
            for run, messages in talk.sessions.items()
            for message in messages
        ]
        seconds = float(self._ask(do="index", tenant=talk.name, language=language, units=units)["seconds"])
        return seconds + self.search(talk.name, talk.questions[0].text).seconds

    def search(self, tenant: str, query: str) -> Answer:
        """The time is taken in the driver, so that no pipe is counted."""
        answer = self._ask(do="search", tenant=tenant, query=query, top=TOP)
        return Answer(tuple(dict.fromkeys(answer["found"])), float(answer["seconds"]))

    def _ask(self, **asked: Any) -> dict[str, Any]:
        _open(self._process.stdin).write(json.dumps(asked) + "\n")
        _open(self._process.stdin).flush()
        reply = self._heard()
        if "broken" in reply:
            raise PeerFailed(reply["broken"])
        answer: dict[str, Any] = reply["answer"]
        return answer

    def _heard(self) -> dict[str, Any]:
        line = _open(self._process.stdout).readline()
        if not line:
            words = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise PeerFailed(f"its process ended: {words[-1] if words else 'without a word'}")
        heard: dict[str, Any] = json.loads(line)
        return heard


def said(message: dict[str, Any]) -> str:
    """A turn as the peers get it, with who said it; the service is given the two apart."""
    return f"{message['speaker']}: {message['content']}"


@contextmanager
def peer_processes(folder: Path, names: Sequence[str]) -> Iterator[tuple[list[PeerProcess], dict[str, str]]]:
    """The peers that run, and why the others don't."""
    with ExitStack() as stack:
        running, absent = [], {}
        for number, name in enumerate(names):
            try:
                running.append(_started(stack, folder / f"peer{number}", name))
            except PeerFailed as failure:
                absent[name] = str(failure)
        yield running, absent


def _started(stack: ExitStack, folder: Path, name: str) -> PeerProcess:
    if not PYTHON.exists():
        raise PeerFailed("not installed: bash tests/bench/peers_install.sh")
    driver, options = PEERS[name]
    folder.mkdir()
    log = folder.with_suffix(".log")
    command = [str(PYTHON), str(DRIVERS / driver), json.dumps({"folder": str(folder), **options})]
    err = stack.enter_context(log.open("w", encoding="utf-8"))
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, text=True)
    stack.enter_context(process)
    stack.callback(process.kill)
    peer = PeerProcess(name, process, log)
    peer.begin()
    return peer


def _open(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise PeerFailed("no pipe to its process")
    return pipe
