"""`kill -9` of the server at random moments while four clients add, and what is left after each restart.

    python tests/flows/kill.py [--rounds 10] [--seed 2026] [--keep DIR]

Each round: restart on the same data, four clients add Chinese and English messages, kill, restart, send again what got
no answer. Then every acknowledged message must be listed once, every acknowledged task completed, and every message
have one memory unit, in search and in the file. Exit code 1 where any of that does not hold.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from json import loads
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.flows.server_process import STORE, Client, ServerProcess, wait_until

CLIENTS = 4
LONGEST_SECONDS = 1.5
SEARCHES = 40  # messages of each round that are also searched for
# Work in hand at the kill comes again after these, so a round need not wait for the defaults (15 and 10 seconds).
PATIENCE = {"AGENT_MEMORY_LEASE_SECONDS": "3", "AGENT_MEMORY_SWEEP_AFTER_SECONDS": "3"}
GIVE_UP_STEPS = 3_600
TEXTS = ("第{}件:订单号 {} 寄到杭州西湖区", "Parcel {}: order {} goes to Oslo by ship")


@dataclass
class Sent:
    """What one client sent in one round: `acknowledged` maps task to messages, `open` got no answer."""

    run: str
    acknowledged: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    open: list[dict[str, str]] = field(default_factory=list)

    @property
    def messages(self) -> list[dict[str, str]]:
        return [message for batch in self.acknowledged.values() for message in batch]


@dataclass
class Round:
    """One line of the table."""

    number: int
    killed_ms: int
    sent: list[Sent]
    unfinished: int = 0
    faults: list[str] = field(default_factory=list)

    def line(self) -> str:
        tasks = sum(len(each.acknowledged) for each in self.sent)
        messages = sum(len(each.messages) for each in self.sent)
        result = "; ".join(self.faults[:3]) or "ok"
        return f"{self.number:5} {self.killed_ms:9} {tasks:6} {messages:9} {self.unfinished:11}  {result}"


HEADER = "round killed_ms  tasks  messages  unfinished  result"


def main() -> int:
    """The exit code."""
    arguments = _arguments()
    folder = arguments.keep or Path(tempfile.mkdtemp(prefix="agent-memory-kill-"))
    say(f"seed {arguments.seed}, data in {folder}\n{HEADER}")
    rounds = []
    for done in run(folder, arguments.rounds, random.Random(arguments.seed)):
        rounds.append(done)
        say(done.line())
    faults = unit_faults(folder, [each for done in rounds for each in done.sent])
    say("\n".join(faults) or "units in the file: one per message")
    return 1 if faults or any(done.faults for done in rounds) else 0


def say(text: str) -> None:
    """One line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def run(folder: Path, rounds: int, chance: random.Random) -> Iterator[Round]:
    """The rounds, one after the other, on the same data."""
    server = ServerProcess(folder, **PATIENCE)
    with server:
        server.client().ok("CreateMemoryStore", {"memoryStoreName": STORE})
        for number in range(1, rounds + 1):
            done = _add_until_killed(server, number, chance)
            server.start()
            _look(server, done, chance)
            yield done
        if server.stop() != 0:
            raise RuntimeError("the server did not end in good order")


def _add_until_killed(server: ServerProcess, number: int, chance: random.Random) -> Round:
    moment = chance.uniform(0.01, LONGEST_SECONDS)
    sizes = [random.Random(chance.random()) for _ in range(CLIENTS)]
    sent = [Sent(f"round{number}-{client}") for client in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as threads:
        working = [threads.submit(_add_on_and_on, server.client(), *each) for each in zip(sent, sizes, strict=True)]
        threading.Event().wait(moment)
        server.kill()
        for each in working:
            each.result()
    return Round(number, round(moment * 1_000), sent)


def _add_on_and_on(client: Client, sent: Sent, size: random.Random) -> None:
    """Add batches of one to five messages until the connection breaks."""
    numbers = count(1)
    while True:
        sent.open = [_message(sent.run, next(numbers)) for _ in range(size.randint(1, 5))]
        try:
            _add(client, sent)
        except (OSError, HTTPException):
            return


def _message(run: str, number: int) -> dict[str, str]:
    order = f"{run}-{number:04d}"
    return {"role": "user", "messageId": order, "content": TEXTS[number % 2].format(number, order)}


def _add(client: Client, sent: Sent) -> None:
    sent.acknowledged[client.add(sent.open, sent.run)] = sent.open
    sent.open = []


def _look(server: ServerProcess, done: Round, chance: random.Random) -> None:
    """Send again what is open, wait for all tasks, then compare."""
    client = server.client()
    tasks = [task for sent in done.sent for task in sent.acknowledged]
    done.unfinished = sum(1 for task in tasks if "finishedAt" not in client.task(task))
    for sent in done.sent:
        if sent.open:
            _add(client, sent)
    for sent in done.sent:
        for task in sent.acknowledged:
            wait_until(lambda task=task: "finishedAt" in client.task(task), GIVE_UP_STEPS)  # type: ignore[misc]
            status = client.task(task)["status"]
            done.faults += [f"task {task} is {status}"] if status != "completed" else []
        done.faults += _listing_faults(client, sent)
    everything = [message for sent in done.sent for message in sent.messages]
    for message in chance.sample(everything, min(SEARCHES, len(everything))):
        done.faults += _search_faults(client, message)


def _listing_faults(client: Client, sent: Sent) -> list[str]:
    listed: Counter[str] = Counter()
    page: dict[str, Any] = {"nextToken": None}
    while "nextToken" in page:
        page = client.messages(sent.run, nextToken=page["nextToken"])
        listed.update(message["messageId"] for message in page["session"]["messages"])
    return _differences("listed", listed, [message["messageId"] for message in sent.messages])


def _search_faults(client: Client, message: dict[str, str]) -> list[str]:
    refs = [ref["messageId"] for unit in client.search(message["content"]) for ref in unit["source_turn_refs"]]
    found = refs.count(message["messageId"])
    return [] if found == 1 else [f"search finds {message['messageId']} {found} times"]


def unit_faults(folder: Path, sent: list[Sent]) -> list[str]:
    """Messages that have no unit or more than one in the file of the ended server."""
    with closing(sqlite3.connect(folder / "data" / "memories.sqlite3")) as file:
        units = [loads(body) for (body,) in file.execute("SELECT body FROM items WHERE sk LIKE 'unit/%'")]
    named = Counter(ref["message_id"] for unit in units for ref in unit["source_turn_refs"])
    return _differences("in units", named, [message["messageId"] for each in sent for message in each.messages])


def _differences(what: str, found: Counter[str], expected: list[str]) -> list[str]:
    missing = [f"{name} is not {what}" for name in expected if name not in found]
    unknown = [f"{name} is {what}, but was never acknowledged" for name in found.keys() - set(expected)]
    return missing + unknown + [f"{name} is {what} {times} times" for name, times in found.items() if times > 1]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="folder for the data and the server's output")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
