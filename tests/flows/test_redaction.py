"""What a store does about secrets: nothing of them lies in any table, queue or log, or the call is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_memory.adapters.sqlite_queue import SqliteQueue
from agent_memory.services import Services
from tests.cases.scan import occurrences
from tests.conftest import SCOPE, Service, make_service

NEEDLE = "sk-test-AAAA"
KEY = f"{NEEDLE}AAAAAAAAAAAAAAAAAAAA"
CARD = "4111 1111 1111 1111"
MEM = {"memoryStoreName": "mem"}
SAID = f"My key is {KEY} and my card is {CARD}. I moved to Leeds."


class Kept:
    """A logger that keeps all it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def info(self, *words: Any, **more: Any) -> None:
        self.told.append((words, more))

    warning = exception = error = debug = info


class Shown:
    """The part of a watched queue that the scan reads."""

    def __init__(self, services: Services) -> None:
        self.queue = services.queue


@pytest.fixture
def logger() -> Kept:
    """What the service logs."""
    return Kept()


@pytest.fixture
def service(logger: Kept) -> Service:
    """One store for each policy."""
    made = make_service(logger=logger)
    assert isinstance(made.services.queue, SqliteQueue)
    made.ok("CreateMemoryStore", MEM)
    for policy in ("redact", "block"):
        made.ok("CreateMemoryStore", {"memoryStoreName": policy, "redaction": policy})
    return made


def scanned(service: Service, needle: str = NEEDLE) -> int:
    return occurrences(service.services, Shown(service.services), needle)  # type: ignore[arg-type]


def message(content: str = SAID, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **more}


def test_without_a_policy_texts_are_kept(service: Service) -> None:
    """And the scan that the other tests rely on sees them."""
    service.add(SAID)
    assert scanned(service)
    assert scanned(service, CARD)


@pytest.mark.parametrize("infer", [True, False])
@pytest.mark.parametrize("how", ["by the store", "by the call"])
def test_redacted_before_anything_is_written(service: Service, logger: Kept, how: str, *, infer: bool) -> None:
    """Content, text, speaker, metadata: rows, queue, log and answers hold placeholders, before and after extraction."""
    store, more = ("redact", {}) if how == "by the store" else ("mem", {"redaction": "redact"})
    metadata = {"note": f"use {KEY}", "password": "hunter2"}
    messages = [message(metadata=metadata), message("hello there", speaker=KEY)]
    added = service.add(messages, store, text=f"token {KEY}", metadata=metadata, clientToken="c1", infer=infer, **more)
    assert scanned(service) == scanned(service, "hunter2") == scanned(service, CARD) == 0
    service.drain()
    service.sweep()
    assert service.task(added["requestId"], store)["status"] == "completed"
    assert scanned(service) == scanned(service, "hunter2") == scanned(service, CARD) == 0
    assert NEEDLE not in json.dumps(str(logger.told))
    kept = service.messages(store)
    said = "My key is [SECRET:api_key] and my card is [SECRET:card_number]. I moved to Leeds."
    by_length = sorted(kept, key=lambda each: -len(each["content"]))
    assert [each["content"] for each in by_length] == [said, "token [SECRET:api_key]", "hello there"]
    assert by_length[0]["metadata"] == {"note": "use [SECRET:api_key]", "password": "[SECRET:password]"}
    assert any("Leeds" in each["unit"]["text"] for each in service.search("Where did I move?", store))


def test_said_again_is_still_a_repeat(service: Service) -> None:
    """With and without an id or a token, and also where only the secret is another one."""
    first = service.add([message(messageId="m1"), message()], "redact", clientToken="c1")
    assert (first["acceptedMessages"], first["duplicateMessages"]) == (2, 0)
    again = service.add([message(messageId="m1"), message()], "redact")
    assert again["duplicateMessages"] == 2
    same = service.add([message(messageId="m1"), message()], "redact", clientToken="c1")
    assert same["requestId"] == first["requestId"]
    other = service.add([message(SAID.replace("AAAA", "BBBB"))], "redact")
    assert other["duplicateMessages"] == 1


PLACES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"messages": [message("hi"), message("hi again"), message()]}, "messages[2].content holds an API key"),
    ({"messages": [message("hi", metadata={"k": KEY})]}, "messages[0].metadata value holds an API key"),
    ({"messages": [message("hi", speaker=KEY)]}, "messages[0].speaker holds an API key"),
    ({"text": f"密码是hunter2 {CARD}"}, "text holds a password"),
    ({"text": "hi", "metadata": {"password": "hunter2"}}, "metadata value holds a password"),
)


@pytest.mark.parametrize(("body", "refusal"), PLACES)
@pytest.mark.parametrize("how", ["by the store", "by the call"])
def test_blocked_and_nothing_written(
    service: Service, logger: Kept, how: str, body: dict[str, Any], refusal: str
) -> None:
    """The refusal names field and kind; neither it nor the record of the call shows the secret."""
    call = {"redaction": "block"} if how == "by the call" else {}
    store = "mem" if call else "block"
    status, told = service.refused("AddMemories", {"memoryStoreName": store, "scope": SCOPE, **body, **call})
    assert (status, told) == (400, f"{refusal}, which this store refuses")
    assert service.messages(store) == []
    assert service.drain() == 0
    asked = {"memoryStoreName": store, "scope": {"appId": "shop", "tenantId": "t1", "agentId": "*", "runId": "*"}}
    (record,) = [
        each for each in service.ok("ListMemoryStoreRequests", asked)["requests"] if each["responseStatus"] == 400
    ]
    assert "which this store refuses" in record["responseSummary"]
    for needle in (NEEDLE, "hunter2", CARD):
        assert scanned(service, needle) == 0
        assert needle not in str(logger.told)


@pytest.mark.parametrize("store", ["redact", "block"])
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"messages": [message("hi", messageId=KEY)]}, "messages[0].messageId"),
        ({"messages": [message("hi", metadata={KEY: "x"})]}, "messages[0].metadata key"),
        ({"messages": [message("hi")], "scope": {**SCOPE, "runId": KEY}}, "scope.runId"),
    ],
)
def test_a_name_that_is_a_key_is_refused(service: Service, store: str, body: dict[str, Any], field: str) -> None:
    """Names can't be redacted; not even the audit keeps such a scope."""
    told = service.refused("AddMemories", {"memoryStoreName": store, "scope": SCOPE, **body})
    assert told == (400, f"{field} holds an API key, which can't be redacted there")
    assert scanned(service) == 0


def test_a_call_cannot_loosen(service: Service) -> None:
    """`off` on the call leaves the store's policy as it is."""
    service.add(SAID, "redact", redaction="off")
    assert scanned(service) == 0
    status, _ = service.refused(
        "AddMemories", {"memoryStoreName": "block", "scope": SCOPE, "text": SAID, "redaction": "redact"}
    )
    assert status == 400


def test_no_word_of_a_search_is_kept(service: Service) -> None:
    """Whatever the policy says."""
    service.search(f"what is {KEY}", "redact")
    service.refused(
        "SearchMemories", {"memoryStoreName": "redact", "scope": SCOPE, "query": KEY, "filter": {"op": KEY}}
    )
    assert scanned(service) == 0


def test_the_store_says_its_policy(service: Service) -> None:
    """Only where it has one; a patch changes it for what is written from then on."""
    assert "redaction" not in service.ok("GetMemoryStore", MEM)
    listed = {each["memoryStoreName"]: each.get("redaction") for each in service.ok("ListMemoryStores", {})["stores"]}
    assert listed == {"mem": None, "redact": "redact", "block": "block"}
    service.add("before: password is hunter2")
    assert service.ok("UpdateMemoryStore", {**MEM, "redaction": "redact"})["redaction"] == "redact"
    service.add(SAID)
    assert (scanned(service), scanned(service, "hunter2") > 0) == (0, True)
    assert "redaction" not in service.ok("UpdateMemoryStore", {**MEM, "redaction": "off"})
    assert service.refused("UpdateMemoryStore", {**MEM, "redaction": "hide"})[0] == 400
    assert service.ok("UpdateMemoryStore", {**MEM, "redaction": None})["memoryStoreName"] == "mem"


def memory_id(service: Service, store: str) -> str:
    service.add("I moved to Leeds in 2021", store, infer=False)
    (found,) = service.search("Leeds", store)
    return str(found["unit"]["id"])


def test_an_update_is_redacted_or_refused(service: Service) -> None:
    """Text, title, keywords and metadata."""
    patch = {"text": SAID, "title": f"about {KEY}", "keywords": [KEY], "metadata": {"password": "hunter2"}}
    found = {"memoryStoreName": "redact", "memoryId": memory_id(service, "redact")}
    memory = service.ok("UpdateMemory", {**found, **patch})["memory"]
    assert memory["title"] == "about [SECRET:api_key]"
    assert memory["metadata"] == {"password": "[SECRET:password]"}
    assert service.ok("UpdateMemory", {**found, **patch})["updated"] is False
    assert scanned(service) == scanned(service, "hunter2") == scanned(service, CARD) == 0
    blocked = {"memoryStoreName": "block", "memoryId": memory_id(service, "block")}
    for field, value in patch.items():
        status, told = service.refused("UpdateMemory", {**blocked, field: value})
        assert (status, told.split()[0]) == (400, field)
    assert scanned(service) == scanned(service, "hunter2") == 0


@pytest.mark.parametrize("vectors", [True, False])
def test_lines_of_an_import_are_redacted_or_refused(service: Service, *, vectors: bool) -> None:
    """Messages, memories and their history; a vector that was made of the secret does not come along."""
    service.add(SAID, infer=False)
    (found,) = service.search("Leeds")
    service.ok("UpdateMemory", {**MEM, "memoryId": found["unit"]["id"], "text": f"Now it is {KEY}"})
    lines = service.ok("ExportMemoryStore", {**MEM, "vectors": vectors})["lines"]
    assert lines.count(NEEDLE) >= 3
    service.ok("DeleteMemoryStore", MEM)
    service.drain("maintenance")
    assert scanned(service) == 0
    refused = service.ok("ImportMemories", {"memoryStoreName": "block", "lines": lines})
    assert refused["imported"] == 0
    assert len(refused["failed"]) == 3
    assert all("holds an API key, which this store refuses" in each["message"] for each in refused["failed"])
    taken = service.ok("ImportMemories", {"memoryStoreName": "redact", "lines": lines})
    assert (taken["imported"], taken["failed"]) == (3, [])
    assert service.ok("ImportMemories", {"memoryStoreName": "redact", "lines": lines})["imported"] == 0
    assert scanned(service) == scanned(service, CARD) == 0
    assert "[SECRET:api_key]" in service.search("Now it is", "redact")[0]["unit"]["text"]
