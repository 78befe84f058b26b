"""Evidence of a search: the messages behind the results, and what was said beside them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import SCOPE, Service
from tests.stand_ins import ScriptedReranker

TENANT = {"appId": "shop", "tenantId": "t1"}
TALK = [
    "早上好。",
    "We talked about the weather for a while.",
    "Last summer I bought a kayak in Lübeck.",
    "它是红色的，名字叫“闪电”。",
    "I paddle every Sunday.",
    "My sister prefers the mountains.",
    "She climbed the Zugspitze twice.",
]
START = "2026-11-30T09:{:02d}:00Z"


def talk(service: Service, texts: list[str] = TALK, run: str = "r1", hour: str = START, **fields: Any) -> None:
    """A conversation, a message a minute, of which each becomes a memory."""
    messages = [{"role": "user", "content": text, "timestamp": hour.format(at)} for at, text in enumerate(texts)]
    service.add(messages, scope={**SCOPE, "runId": run}, infer=False, **fields)
    service.drain()


def asked(service: Service, query: str, **fields: Any) -> list[dict[str, Any]]:
    body = {"memoryStoreName": "mem", "scope": TENANT, "query": query, "includeEvidence": True, **fields}
    found: list[dict[str, Any]] = service.ok("SearchMemories", body)["evidence"]
    return found


def texts(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["unit"]["text"] for entry in entries]


@pytest.fixture
def kayak(service: Service) -> Service:
    talk(service)
    return service


def test_one_before_and_two_behind(kayak: Service) -> None:
    """In order of time; neighbours say so and have the score of the result they stand beside."""
    entries = asked(kayak, "kayak Lübeck", topK=1)
    assert texts(entries) == TALK[1:5]
    assert [entry.get("neighbour", False) for entry in entries] == [True, False, True, True]
    assert {entry["score"] for entry in entries} == {kayak.search("kayak Lübeck", topK=1)[0]["score"]}
    assert {entry["source"] for entry in entries} == {"message"}
    assert all(set(entry) <= {"unit", "score", "source", "neighbour"} for entry in entries)


def test_the_ends_of_a_conversation(kayak: Service) -> None:
    """Nothing before its first message, nothing behind its last."""
    assert texts(asked(kayak, "早上好", topK=1)) == TALK[:3]
    assert texts(asked(kayak, "climbed Zugspitze", topK=1)) == TALK[5:]


def test_stretches_that_overlap_are_one(kayak: Service) -> None:
    """A message that several results touch is there once, as the result's own where it is one."""
    entries = asked(kayak, "I bought a kayak in Lübeck I paddle every Sunday", topK=2)
    assert texts(entries) == TALK[1:7]
    own = [entry["unit"]["text"] for entry in entries if "neighbour" not in entry]
    assert own == [TALK[2], TALK[4]]


def test_other_conversations_are_no_neighbours(kayak: Service) -> None:
    """However close in time; the conversation of the best result comes first, though it is later."""
    talk(
        kayak,
        ["Hello again.", "The kayak needs a new paddle, 桨坏了。", "Bye."],
        run="r2",
        hour="2026-11-30T11:{:02d}:00Z",
    )
    entries = asked(kayak, "new paddle for the kayak 桨坏了", topK=2)
    runs = [entry["unit"]["scope"]["runId"] for entry in entries]
    assert runs == ["r2"] * 3 + ["r1"] * (len(runs) - 3)
    assert texts(entries)[:3] == ["Hello again.", "The kayak needs a new paddle, 桨坏了。", "Bye."]
    assert texts(entries)[3:] == [text for text in TALK if text in texts(entries)]


@pytest.mark.parametrize("top_k", [1, 2, 3, 5, 8, 20])
def test_a_neighbour_pushes_out_no_result(service: Service, top_k: int) -> None:
    """Eight entries; the messages of the best eight results are among them, whatever stands beside them."""
    talk(service, [f"Otter number {number} swims." if number % 3 == 0 else f"第{number}天下雨" for number in range(20)])
    body = {"memoryStoreName": "mem", "scope": TENANT, "query": "otter number swims", "topK": top_k}
    answer = service.ok("SearchMemories", {**body, "includeEvidence": True})
    behind = [hit["unit"]["text"] for hit in answer["results"]][:8]
    assert len(answer["evidence"]) <= 8
    assert set(behind) == {entry["unit"]["text"] for entry in answer["evidence"] if "neighbour" not in entry}
    times = [entry["unit"]["created_at"] for entry in answer["evidence"]]
    assert times == sorted(times)
    assert len(answer["evidence"]) == 8 or top_k <= 2


def test_long_neighbours_are_shortened(service: Service) -> None:
    """To 1,200 characters, never within what readers see as one."""
    family = "👨\u200d👩\u200d👧"
    talk(service, ["The lamp is broken.", family * 400])
    entries = asked(service, "lamp broken", topK=1)
    assert [len(text) <= 1_200 for text in texts(entries)] == [True, True]
    assert texts(entries)[1] == family * (len(texts(entries)[1]) // len(family)) + "…"


def test_deleted_and_expired_messages_are_left_out(service: Service) -> None:
    """As results' own and as neighbours."""
    talk(service, ["It rained.", "My bike is green.", "I like soup.", "Then I slept."])
    service.add(
        [{"role": "user", "content": "The code of the day is 4417.", "timestamp": START.format(1)}],
        infer=False,
        ttlSeconds=600,
        referenceTime="2026-11-30T10:00:00Z",
    )
    service.drain()
    assert "The code of the day is 4417." in texts(asked(service, "green bike", topK=1))
    service.clock.advance(601)
    assert texts(asked(service, "green bike", topK=1)) == ["It rained.", "My bike is green.", "I like soup."]
    listed = service.messages()
    soup = next(message["messageId"] for message in listed if "soup" in message["content"])
    service.ok("DeleteMessages", {"memoryStoreName": "mem", "scope": SCOPE, "messageIds": [soup], "cascade": "none"})
    assert texts(asked(service, "green bike", topK=1)) == ["It rained.", "My bike is green.", "Then I slept."]
    bike = next(message["messageId"] for message in listed if "bike" in message["content"])
    service.ok("DeleteMessages", {"memoryStoreName": "mem", "scope": SCOPE, "messageIds": [bike], "cascade": "none"})
    assert asked(service, "green bike", topK=1) == []


def test_what_was_deleted_with_its_scope_is_no_neighbour(service: Service) -> None:
    """Though the messages still lie in the log until the purge has been there."""
    talk(service, ["My old secret.", "Another old secret."])
    service.ok("DeleteScope", {"memoryStoreName": "mem", "scope": SCOPE})
    talk(service, ["My bike is green."], hour="2026-11-30T10:{:02d}:00Z")
    assert texts(asked(service, "green bike", topK=1)) == ["My bike is green."]


def test_evidence_of_a_time_in_the_past(service: Service) -> None:
    """What had expired since is shown, and what was said later is not."""
    talk(service, ["It rained.", "My locker code is 4417.", "I slept.", "I woke up."], ttlSeconds=600)
    service.clock.advance(86_400)
    assert asked(service, "locker code", topK=1) == []
    at = {"asOf": START.format(2), "topK": 1}
    assert texts(asked(service, "locker code", **at)) == ["It rained.", "My locker code is 4417.", "I slept."]


def test_few_reads(kayak: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three calls of the table for one result, at most nine, and none where there is no result."""
    table = kayak.services.table
    calls: list[str] = []

    class Counted:
        def __getattr__(self, name: str) -> Any:
            calls.append(name)
            return getattr(table, name)

    kayak.search("kayak Lübeck", topK=1)
    monkeypatch.setitem(kayak.services.__dict__, "table", Counted())

    def reads(**fields: Any) -> int:
        calls.clear()
        kayak.search("kayak Lübeck", **fields)
        return len(calls)

    plain = reads(topK=1)
    assert plain == 2
    assert reads(topK=1, includeEvidence=True) - plain == 3
    assert max(reads(topK=size, includeEvidence=True) for size in range(1, 8)) - plain <= 9
    nothing = {"metadata": {"no": "such"}}
    assert reads(**nothing, includeEvidence=True) == reads(**nothing)


def test_evidence_follows_the_reranked_order(kayak: Service) -> None:
    """The entries belong to the results that are shown, with their new scores."""
    reranker = ScriptedReranker(lambda text: 0.75 if "Zugspitze" in text else 0.1, window=20)
    kayak.services.__dict__["reranker"] = reranker
    entries = asked(kayak, "a kayak in Lübeck or the Zugspitze", topK=1)
    assert texts(entries) == TALK[5:]
    assert {entry["score"] for entry in entries} == {0.75}
