"""Adds under a language model that fails at random and workers that are killed at random; then what is left is counted.

python -m tests.flows.faults --adds 1000
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_memory.errors import LlmThrottled, LlmTimeout, LlmUnavailable
from agent_memory.language_model import Completion, Prompt
from agent_memory.services import use_services
from tests.conftest import Service, make_service
from tests.flows.test_extract_memories import CrashingTable

CONVERSATIONS = 20
PATIENCE_SECONDS = 700  # longer than the lease of a worker that died
CITIES = ("Leeds", "York", "Bath", "杭州", "成都", "昆明")


class FaultyModel:
    """Answers with a fact of the message it is shown, or in one of the ways in which models fail."""

    name = "faulty"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.said = Counter[str]()

    def complete(self, prompt: Prompt) -> Completion:
        kind = self._random.choice(("good", "good", "timeout", "garbage", "empty", "half", "busy", "down"))
        self.said[kind] += 1
        if kind in ("timeout", "busy", "down"):
            raise {"timeout": LlmTimeout, "busy": LlmThrottled, "down": LlmUnavailable}[kind](kind)
        text = {"garbage": "]]} I'd rather not.", "empty": "  ", "half": '{"facts":[{"text":"user li'}
        return Completion(text.get(kind) or self._answer(prompt), 100, 20)

    def _answer(self, prompt: Prompt) -> str:
        if prompt.name != "facts":
            return '{"verdicts": []}'
        said = [line.strip() for line in prompt.user.splitlines() if line.startswith(" ")]
        return json.dumps({"facts": [{"text": text, "evidence": [at]} for at, text in enumerate(said)]})


@dataclass
class Outcome:
    """What 1,000 adds left behind; every list names what should not be."""

    states: Counter[str] = field(default_factory=Counter)
    paths: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    messages: int = 0
    units: int = 0
    lost_messages: list[str] = field(default_factory=list)
    lost_units: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    untrue: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether nothing is lost, nothing is there twice, and every task says what happened."""
        return not (self.lost_messages or self.lost_units or self.doubled or self.untrue)


def run(adds: int, seed: int = 7) -> Outcome:
    """Add, kill, deliver again until every task has ended, and count."""
    chance = random.Random(seed)
    model = FaultyModel(seed)
    service = make_service(language_model=model)
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    table = CrashingTable(service.services.table)
    service.services.__dict__["table"] = table
    outcome = Outcome()
    asked: dict[str, tuple[dict[str, str], str]] = {}
    for number in range(adds):
        scope = _scope(number)
        text = _text(number)
        added = service.add([{"role": "user", "content": text, "messageId": f"m{number}"}], scope=scope)
        asked[added["requestId"]] = (scope, text)
        if number % 10 == 9:
            outcome.kills += _work(service, table, chance)
    for _ in range(200):
        service.clock.advance(PATIENCE_SECONDS)
        service.sweep()
        outcome.kills += _work(service, table, chance)
        if all(_ended(service.task(each)) for each in list(asked)[-50:]) and _all_ended(service, asked):
            break
    table.left = None
    _count(service, asked, outcome)
    return outcome


def _scope(number: int) -> dict[str, str]:
    return {"appId": "shop", "tenantId": "t1", "agentId": "a1", "runId": f"r{number % CONVERSATIONS}"}


def _text(number: int) -> str:
    """No two are equal; some are facts of one attribute, some episodes, in both languages."""
    kinds = (
        f"I live in {CITIES[number % 3]} at number {number}.",
        f"我住在{CITIES[3 + number % 3]}{number}号。",
        f"Order {number} came back from the shop with a note.",
        f"第{number}单已经退回仓库了",
    )
    return kinds[number % len(kinds)]


def _work(service: Service, table: CrashingTable, chance: random.Random) -> int:
    """Have waiting jobs done; now and then the process is killed at one of its writes. How often it was."""
    use_services(service.services)
    kills = 0
    while True:
        table.left = chance.randrange(3) if chance.random() < 0.2 else None
        table.after = chance.random() < 0.5
        try:
            if not service.drain():
                return kills
        except CrashingTable.Killed:
            kills += 1
            return kills
        finally:
            table.left = None


def _ended(task: dict[str, Any]) -> bool:
    return task["status"] in ("completed", "failed", "needs_reconcile")


def _all_ended(service: Service, asked: dict[str, Any]) -> bool:
    return all(_ended(service.task(each)) for each in asked)


def _count(service: Service, asked: dict[str, tuple[dict[str, str], str]], outcome: Outcome) -> None:
    stored = {unit["id"]: unit for scope in map(_scope, range(CONVERSATIONS)) for unit in _units(service, scope)}
    said = {
        message["messageId"]: message
        for scope in map(_scope, range(CONVERSATIONS))
        for message in service.messages(scope=scope, limit=500)
    }
    outcome.messages, outcome.units = len(said), len(stored)
    of_message = Counter(ref["messageId"] for unit in stored.values() for ref in unit["source_turn_refs"])
    for number, (request_id, (_, text)) in enumerate(asked.items()):
        task = service.task(request_id)
        outcome.states[task["status"]] += 1
        outcome.paths[task.get("path", "-")] += 1
        outcome.errors[task.get("lastError", "-").partition(":")[0]] += 1
        if f"m{number}" not in said:
            outcome.lost_messages.append(text)
        if not of_message[f"m{number}"]:
            outcome.lost_units.append(text)
        elif of_message[f"m{number}"] > 1:
            outcome.doubled.append(text)
        if not _is_true(task, stored):
            outcome.untrue.append(f"{text}: {task}")


def _is_true(task: dict[str, Any], stored: dict[str, Any]) -> bool:
    """Whether the task has ended, names memories that are there, and failed with a code where the model was lost."""
    if not _ended(task) or not all(each in stored for each in task["derivedUnitIds"]):
        return False
    failed = task["status"] == "failed"
    return failed == (task.get("path") != "llm") and failed == ("lastError" in task) and bool(task["derivedUnitIds"])


def _units(service: Service, scope: dict[str, str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    body: dict[str, Any] = {"memoryStoreName": "mem", "scope": scope, "limit": 100, "includeInvalid": True}
    while True:
        answer = service.ok("ListMemories", body)
        found += answer["memories"]
        if not answer.get("nextToken"):
            return found
        body["nextToken"] = answer["nextToken"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is left; 1 where something is lost, doubled or untrue."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adds", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(arguments)
    found = run(given.adds, given.seed)
    print(f"{given.adds} adds, {found.kills} workers killed")
    for name in ("states", "paths", "errors"):
        print(f"  {name}: {dict(getattr(found, name))}")
    print(f"  messages {found.messages}, memories {found.units}")
    for name in ("lost_messages", "lost_units", "doubled", "untrue"):
        print(f"  {name}: {len(getattr(found, name))} {getattr(found, name)[:2]}")
    return 0 if found.good else 1


if __name__ == "__main__":
    raise SystemExit(main())
