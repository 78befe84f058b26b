"""DeleteMessages: messages by id, what was concluded from them alone, and nothing that has other sources."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import SCOPE, Service
from tests.flows.stored_rows import rows, rows_with
from tests.stand_ins import InterruptedTable

TENANT = {"appId": "shop", "tenantId": "t1"}


def forget(service: Service, *ids: str, scope: Any = None, **fields: Any) -> dict[str, Any]:
    body = {"memoryStoreName": "mem", "scope": scope or SCOPE, "messageIds": list(ids), **fields}
    return service.ok("DeleteMessages", body)


def say(service: Service, message_id: str, content: str, scope: Any = None, **fields: Any) -> dict[str, Any]:
    message = {"role": "user", "messageId": message_id, "content": content}
    return service.add([message], scope=scope, infer=False, **fields)


def memories(service: Service, scope: Any = None) -> list[dict[str, Any]]:
    body = {"memoryStoreName": "mem", "scope": scope or {**TENANT, "agentId": "*"}, "limit": 100}
    found: list[dict[str, Any]] = service.ok("ListMemories", body)["memories"]
    return found


def texts(service: Service) -> list[str]:
    return sorted(each["search_text"].removeprefix("user: ") for each in memories(service))


def test_messages_go_with_the_memories_that_come_from_them_alone(service: Service) -> None:
    """By default, since whoever asks to be forgotten means what was concluded, too."""
    say(service, "一", "我对虾过敏")
    say(service, "二", "我养了一只猫")
    service.drain()
    answer = forget(service, "一", "没有", "一")
    assert answer == {
        "requestId": answer["requestId"],
        "status": "completed",
        "deleted": 1,
        "notFound": ["没有"],
        "scope": SCOPE,
        "memoryStoreName": "mem",
    }
    assert [each["messageId"] for each in service.messages()] == ["二"]
    assert texts(service) == ["我养了一只猫"]
    assert [each["unit"]["search_text"] for each in service.search("虾 猫", includeEvidence=True)] == ["我养了一只猫"]
    assert rows_with(service, "虾") == []
    task = service.task(answer["requestId"])
    assert (task["eventType"], task["status"], task["scope"]) == ("delete_messages", "completed", SCOPE)


def test_a_memory_with_other_sources_stays_without_the_reference(service: Service) -> None:
    """Its evidence is what is left; once that goes too, so does the memory."""
    for each in ("一", "二", "三"):
        say(service, each, "我对虾过敏")
        service.drain()
    (before,) = memories(service)
    forget(service, "二")
    (kept,) = memories(service)
    assert [each["messageId"] for each in kept["source_turn_refs"]] == ["一", "三"]
    assert (kept["seen_count"], kept["version"], kept["id"]) == (2, before["version"] + 1, before["id"])
    found = service.ok(
        "SearchMemories", {"memoryStoreName": "mem", "scope": TENANT, "query": "虾", "includeEvidence": True}
    )
    assert [each["unit"]["id"] for each in found["evidence"]] == ["一", "三"]
    forget(service, "一", "三")
    assert memories(service) == []


def test_memories_may_be_kept(service: Service) -> None:
    """With cascade "none" they only lose their sources."""
    say(service, "一", "我对虾过敏")
    service.drain()
    forget(service, "一", cascade="none")
    (kept,) = memories(service)
    assert (kept["source_turn_refs"], kept["search_text"]) == ([], "我对虾过敏")
    answer = service.ok(
        "SearchMemories", {"memoryStoreName": "mem", "scope": TENANT, "query": "虾", "includeEvidence": True}
    )
    assert (len(answer["results"]), answer["evidence"]) == (1, [])


def test_the_same_message_is_new_afterwards(service: Service) -> None:
    """Also under the same id with other content, and its memory comes back."""
    say(service, "一", "我对虾过敏")
    service.drain()
    forget(service, "一")
    assert say(service, "一", "我对虾过敏")["duplicateMessages"] == 0
    service.drain()
    assert texts(service) == ["我对虾过敏"]
    forget(service, "一")
    assert say(service, "一", "我养了一只猫")["duplicateMessages"] == 0
    service.drain()
    assert texts(service) == ["我养了一只猫"]
    assert len(service.messages()) == 1


def test_a_message_without_an_id_goes_by_the_one_that_it_was_given(service: Service) -> None:
    """As ListMemoryStoreMessages shows it; a text alone too."""
    service.add("我对虾过敏")
    service.ok("AddMemories", {"memoryStoreName": "mem", "scope": SCOPE, "text": "我养了一只猫"})
    service.drain()
    assert forget(service, *(each["messageId"] for each in service.messages()))["deleted"] == 2
    assert (service.messages(), memories(service)) == ([], [])


def test_other_conversations_are_not_touched(service: Service) -> None:
    """Neither messages of the same id nor memories of the same text."""
    other = {**SCOPE, "runId": "r2"}
    for scope in (SCOPE, other):
        say(service, "一", "我对虾过敏", scope=scope)
    service.drain()
    forget(service, "一")
    assert [len(service.messages(scope=scope)) for scope in (SCOPE, other)] == [0, 1]
    assert [each["scope"] for each in memories(service)] == [other]


def test_a_queued_job_skips_what_was_deleted(service: Service) -> None:
    """It makes memories of the rest."""
    added = service.add(
        [{"role": "user", "messageId": each, "content": f"我喜欢{each}"} for each in ("茶", "酒", "书")]
    )
    forget(service, "酒")
    service.drain()
    assert texts(service) == ["我喜欢书", "我喜欢茶"]
    assert service.task(added["requestId"])["status"] == "completed"
    added = service.add([{"role": "user", "messageId": "水", "content": "我喜欢水"}])
    forget(service, "水")
    service.drain()
    task = service.task(added["requestId"])
    assert (task["status"], task["reason"], task["derivedUnitIds"]) == ("completed", "nothing_to_store", [])


def test_a_running_job_makes_nothing_of_what_was_deleted_meanwhile(service: Service) -> None:
    """Even though it had read the message: it begins again, in the same attempt."""
    added = service.add([{"role": "user", "messageId": each, "content": each} for each in ("喜欢茶", "喜欢酒")])
    table = service.services.table

    def happens() -> None:
        service.services.__dict__["table"] = table
        forget(service, "喜欢酒")

    service.services.__dict__["table"] = InterruptedTable(table, happens)
    service.drain()
    assert texts(service) == ["喜欢茶"]
    task = service.task(added["requestId"])
    assert (task["status"], task["attempts"], len(task["derivedUnitIds"])) == ("completed", 1, 1)


def test_the_history_of_a_memory_goes_with_it(service: Service) -> None:
    """However many versions there were."""
    say(service, "一", "我对虾过敏")
    service.drain()
    (unit,) = memories(service)
    for number in range(120):
        service.ok("UpdateMemory", {"memoryStoreName": "mem", "memoryId": unit["id"], "title": f"虾{number}"})
    forget(service, "一")
    assert rows_with(service, "虾") == []
    assert [key for key in rows_with(service, unit["id"]) if key.sk.startswith(("unit/", "old/"))] == []
    assert service.call("GetMemoryHistory", {"memoryStoreName": "mem", "memoryId": unit["id"]})[0] == 404


def test_a_hundred_messages_at_once(service: Service) -> None:
    """In several transactions, and more than that is refused."""
    ids = [f"第{number}条" for number in range(100)]
    for start in range(0, 100, 20):
        batch = [{"role": "user", "messageId": each, "content": each} for each in ids[start : start + 20]]
        service.add(batch, infer=False)
    service.drain()
    assert forget(service, *reversed(ids))["deleted"] == 100
    assert (service.messages(), memories(service)) == ([], [])
    body = {"memoryStoreName": "mem", "scope": SCOPE, "messageIds": [*ids, "多"]}
    status, told = service.refused("DeleteMessages", body)
    assert (status, told[:39]) == (400, "messageIds must have at most 100 items ")


def test_what_is_not_there_is_told_and_leaves_no_trace(service: Service) -> None:
    """Of an unknown scope, of a deleted one, and the second time."""
    say(service, "一", "我对虾过敏")
    service.drain()
    forget(service, "一")
    before = rows(service)
    for scope in (SCOPE, {**SCOPE, "appId": "never"}):
        answer = forget(service, "一", scope=scope)
        assert answer == {
            "status": "completed",
            "deleted": 0,
            "notFound": ["一"],
            "scope": scope,
            "memoryStoreName": "mem",
        }
    assert rows(service) == before
    say(service, "二", "我养了一只猫")
    service.ok("DeleteScope", {"memoryStoreName": "mem", "scope": TENANT})
    assert forget(service, "二")["notFound"] == ["二"]


class NoUnits:
    """A table whose memories cannot be read for a while."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def query(self, pk: str, first: str, *args: Any, **kwargs: Any) -> Any:
        from agent_memory.errors import ServiceUnavailable

        if first.startswith("unit/"):
            raise ServiceUnavailable("the table does not answer")
        return self._table.query(pk, first, *args, **kwargs)


def test_what_cannot_be_done_at_once_is_done_later(service: Service) -> None:
    """The messages are gone in any case; the memories follow, and the task tells when."""
    say(service, "一", "我对虾过敏")
    service.drain()
    table = service.services.table
    service.services.__dict__["table"] = NoUnits(table)
    answer = forget(service, "一")
    service.services.__dict__["table"] = table
    assert (answer["status"], answer["deleted"]) == ("accepted", 1)
    assert service.messages() == []
    assert service.task(answer["requestId"])["status"] == "queued"
    service.drain("maintenance")
    assert service.task(answer["requestId"])["status"] == "completed"
    assert memories(service) == []


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"scope": {"appId": "shop"}}, "scope.tenantId is required"),
        ({"scope": {**SCOPE, "runId": "*"}}, "scope.runId must not be '*' here"),
        ({"messageIds": []}, "messageIds must have at least 1 item"),
        ({"messageIds": "一"}, "messageIds must be an array"),
        ({"messageIds": [""]}, "messageIds[0] must be 1 to 256 characters"),
        ({"messageIds": [1]}, "messageIds[0] must be a string"),
        ({"cascade": "evidence"}, "cascade must be"),
        ({"cascade": True}, "cascade must be"),
        ({"memoryStoreName": "mem", "messages": ["一"]}, "messages is not a known field"),
    ],
)
def test_wrong_requests_are_refused(service: Service, fields: dict[str, Any], message: str) -> None:
    """Each field by its name; the scope must name one conversation."""
    body = {"memoryStoreName": "mem", "scope": SCOPE, "messageIds": ["一"], **fields}
    status, told = service.refused("DeleteMessages", body)
    assert (status, told[: len(message)]) == (400, message)
