"""AddMemories, from the call to stored messages and a finished task."""

from __future__ import annotations

from typing import Any

import pytest

from agent_memory.errors import ConditionFailed, ServerBusy, ServiceUnavailable
from agent_memory.ports import Put
from tests.conftest import SCOPE, Service, make_service


def message(content: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **fields}


def test_messages_are_readable_at_once_and_searchable_when_completed(service: Service) -> None:
    """The raw messages are there after the answer; the task goes from queued to completed; then search finds them."""
    added = service.add([message("我对虾过敏", speaker="小林"), {"role": "assistant", "content": "记住了"}])
    assert (added["status"], added["acceptedMessages"], added["scope"]) == ("accepted", 2, SCOPE)
    assert [(each["role"], each["speaker"], each["content"]) for each in service.messages()] == [
        ("assistant", "assistant", "记住了"),
        ("user", "小林", "我对虾过敏"),
    ]
    assert service.task(added["requestId"])["status"] == "queued"
    assert service.search("虾") == []
    service.drain()
    task = service.task(added["requestId"])
    assert (task["status"], task["attempts"], task["finishedAt"]) == ("completed", 1, "2026-11-30T10:00:00.000Z")
    hit = service.search("虾")[0]["unit"]
    assert (hit["id"], hit["text"]) == (task["derivedUnitIds"][0], "[2026-11-30T10:00:00Z] 小林: 我对虾过敏")


def test_the_header_repeats_the_task_id(service: Service) -> None:
    """A client overwrites the body's requestId by the header's, so both are the task's."""
    body = {"memoryStoreName": "mem", "scope": SCOPE, "text": "hello from a text"}
    status, answer, headers = service.raw("AddMemories", body)
    assert (status, headers["x-ots-requestid"]) == (200, answer["requestId"])
    assert service.task(answer["requestId"])["acceptedMessages"] == 1


def test_omitted_levels_become_the_default_level(service: Service) -> None:
    """tenantId, agentId and runId are filled in when they are omitted, empty or null."""
    answer = service.add("hi there", scope={"appId": "shop", "tenantId": "", "agentId": None})
    assert answer["scope"] == {
        "appId": "shop",
        "tenantId": "__default__",
        "agentId": "__default__",
        "runId": "__default__",
    }


def test_sync_waits_for_the_units(service: Service) -> None:
    """With sync the answer says completed and how many units there are, and search finds them without any worker."""
    answer = service.add("My printer is a model X200.", sync=True)
    assert (answer["status"], answer["memcellsCreated"], answer["unitsCreated"]) == ("completed", 1, 1)
    assert len(service.search("printer model")) == 1
    service.drain()
    assert len(service.search("printer model")) == 1


def test_verbatim_texts_are_found_after_the_answer(service: Service) -> None:
    """With `infer: false` nothing is left to a queue, and the text is kept as it is."""
    answer = service.add("嗯嗯,好的,谢谢", infer=False)
    assert (answer["status"], answer["unitsCreated"], service.drain()) == ("completed", 1, 0)
    (hit,) = service.search("谢谢")
    assert (hit["unit"]["text"], hit["unit"]["unit_type"]) == ("嗯嗯,好的,谢谢", "text")


def test_sync_without_anything_to_remember_says_so(service: Service) -> None:
    """A greeting alone completes with no unit and a reason."""
    answer = service.add("嗯嗯,好的,谢谢", sync=True)
    assert (answer["status"], answer["unitsCreated"]) == ("completed", 0)
    assert service.task(answer["requestId"])["reason"] == "nothing_to_store"


@pytest.mark.parametrize("again", ["I'm vegetarian.", "  i'm   VEGETARIAN. ", "I'm vegetarian．".replace("．", ".")])
def test_the_same_text_again_stores_nothing_twice(service: Service, again: str) -> None:
    """Same scope, role and normalised text: one message, one unit; the later task names the unit that is there."""
    first = service.add("I'm vegetarian.")
    service.clock.advance(3_600)
    second = service.add(again)
    service.drain()
    assert (second["acceptedMessages"], second["duplicateMessages"]) == (1, 1)
    assert len(service.messages()) == 1
    assert len(service.search("vegetarian")) == 1
    ids = [service.task(each["requestId"])["derivedUnitIds"] for each in (first, second)]
    assert ids[0] == ids[1] != []


def test_the_same_message_id_again_stores_nothing_twice(service: Service) -> None:
    """A client that sends its batch again gets an answer like the first time."""
    batch = [message(f"订单号 AB-209{number}", messageId=f"m{number}") for number in range(3)]
    service.add(batch)
    service.add(batch)
    service.drain()
    assert [each["messageId"] for each in service.messages()] == ["m2", "m1", "m0"]
    assert len(service.search("订单号")) == 3


def test_equal_texts_with_own_ids_are_two_messages_and_one_memory(service: Service) -> None:
    """Who names messages apart has them apart in the log; the memory counts both as its evidence."""
    service.add([message("I take the 8:15 train", messageId="a"), message("I take the 8:15 train", messageId="b")])
    service.drain()
    assert [each["messageId"] for each in service.messages()] == ["b", "a"]
    units = [hit["unit"] for hit in service.search("train")]
    assert [(unit["seen_count"], [ref["messageId"] for ref in unit["source_turn_refs"]]) for unit in units] == [
        (2, ["a", "b"])
    ]


def test_another_content_under_a_stored_id_is_a_conflict(service: Service) -> None:
    """Nothing of the batch is written then."""
    service.add([message("first", messageId="m1")])
    body = {"memoryStoreName": "mem", "scope": SCOPE, "messages": [message("new"), message("other", messageId="m1")]}
    status, text = service.refused("AddMemories", body)
    assert (status, text) == (409, "messages[1].messageId is stored with other content")
    assert len(service.messages()) == 1


def test_a_repeat_in_another_run_is_another_conversation(service: Service) -> None:
    """Identity ends at the scope."""
    service.add("I ski.")
    service.add("I ski.", scope={**SCOPE, "runId": "r2"})
    service.drain()
    assert len(service.messages()) == len(service.messages(scope={**SCOPE, "runId": "r2"})) == 1


def test_times_come_from_the_message_then_the_reference_time(service: Service) -> None:
    """timestamp wins, referenceTime is for messages without one; every answer is in UTC."""
    batch = [message("Standup is at nine.", timestamp="2026-03-29T01:30:00+02:00"), message("We adopted a dog.")]
    service.add(batch, referenceTime="2024-08-02T08:00:00Z")
    service.drain()
    assert [each["timestamp"] for each in service.messages()] == [
        "2026-03-28T23:30:00.000Z",
        "2024-08-02T08:00:00.000Z",
    ]
    unit = service.search("standup")[0]["unit"]
    assert (unit["effective_at"], unit["created_at"]) == ("2026-03-28T23:30:00Z", "2026-03-28T23:30:00.000Z")


def test_yesterday_is_the_day_before_the_message(service: Service) -> None:
    """Time words are resolved against the message's own time, in the text and as event time."""
    service.add([message("I ran my first half marathon yesterday.", timestamp="2023-05-08T13:56:00Z")])
    service.drain()
    unit = service.search("half marathon")[0]["unit"]
    assert "2023-05-07" in unit["text"]
    assert (unit["effective_at"], unit["time_precision"]) == ("2023-05-07", "day")


def test_a_long_message_is_split_and_found_to_its_end(service: Service) -> None:
    """31,000 characters become several units of one message; its last words are found."""
    text = "The weather was mild and nothing else happened today. " * 580 + "My locker is number 88."
    service.add([message(text, messageId="long")])
    service.drain()
    best = service.search("locker number")[0]["unit"]
    assert "locker is number 88" in best["text"]
    assert best["source_turn_refs"] == [{"messageId": "long", "timestampMs": 1_796_032_800_000}]


def test_metadata_goes_to_the_units_and_stays_on_messages(service: Service) -> None:
    """The request's metadata is on each unit, a message's own stays with the message."""
    service.add([message("Budget note", metadata={"page": "3"})], metadata={"year": "2024", "来源": "客服"})
    service.drain()
    assert service.search("budget")[0]["unit"]["metadata"] == {"year": "2024", "来源": "客服"}
    assert service.messages()[0]["metadata"] == {"page": "3"}


@pytest.mark.parametrize("content", ["   \n", "\u0000\u0007", "👍", ""])
def test_blank_messages_are_kept_and_remembered_as_nothing(service: Service, content: str) -> None:
    """A blank message is no error and makes no memory."""
    answer = service.add(content)
    service.drain()
    assert service.task(answer["requestId"])["derivedUnitIds"] == []


def test_unicode_is_cleaned_and_both_spellings_match(service: Service) -> None:
    """NFC on input, control characters and lone surrogates do no harm, emoji stay whole."""
    service.add(r'{"x": 0}' and "cafe\u0301 = caf\u00e9 👩‍👩‍👧 \u0000 end\ud83d")
    service.drain()
    assert service.messages()[0]["content"] == "caf\u00e9 = caf\u00e9 👩‍👩‍👧  end\ufffd"
    assert len(service.search("cafe\u0301")) == len(service.search("caf\u00e9")) == 1


def test_system_text_is_kept_and_never_remembered(service: Service) -> None:
    """A system message is part of the conversation and no input of extraction."""
    service.add([{"role": "system", "content": "<memories>- user drives a blue hatchback</memories>"}])
    service.drain()
    assert (len(service.messages()), service.search("hatchback")) == (1, [])


def test_a_file_store_takes_no_messages(service: Service) -> None:
    """inputType file refuses AddMemories; file output refuses sync."""
    service.ok("CreateMemoryStore", {"memoryStoreName": "f", "inputType": "file", "outputTypes": ["file"]})
    service.ok("CreateMemoryStore", {"memoryStoreName": "b", "storageMode": "file+ots"})
    add = {"scope": SCOPE, "messages": [message("x")]}
    assert service.refused("AddMemories", {"memoryStoreName": "f", **add})[0] == 400
    status, text = service.refused("AddMemories", {"memoryStoreName": "b", **add, "sync": True})
    assert (status, text.split()[0]) == (400, "sync")


class SilentQueue:
    """A queue that does not answer."""

    def send(self, job: Any) -> None:
        raise ServiceUnavailable("no queue")


def test_an_add_is_not_lost_when_the_queue_does_not_answer(service: Service) -> None:
    """The answer still comes, and the sweeper brings the job to the queue later; once, not each time it runs."""
    queue = service.services.queue
    service.services.__dict__["queue"] = SilentQueue()
    added = service.add("My bike is green.")
    service.services.__dict__["queue"] = queue
    assert service.sweep() == 0, "not due yet"
    service.clock.advance(301)
    assert (service.sweep(), service.sweep()) == (1, 0)
    service.drain()
    assert service.task(added["requestId"])["status"] == "completed"
    service.clock.advance(3_600)
    assert service.sweep() == 0


def test_a_job_that_never_ends_is_left_to_a_person(service: Service) -> None:
    """After eight sends the task says needs_reconcile and the sweeper lets go."""
    service.services.__dict__["queue"] = SilentQueue()
    added = service.add("My bike is green.")
    for _ in range(9):
        service.clock.advance(400_000)
        service.sweep()
    assert service.task(added["requestId"])["status"] == "needs_reconcile"
    service.clock.advance(4_000_000)
    assert service.sweep() == 0


class RacingTable:
    """Lets another writer be first, a few times, and shows how often it was asked to write."""

    def __init__(self, table: Any, losses: int) -> None:
        self._table, self._losses = table, losses

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def write(self, writes: Any) -> None:
        if self._losses and any(isinstance(each, Put) and each.item.key.sk.startswith("at/") for each in writes):
            self._losses -= 1
            raise ConditionFailed((0,))
        self._table.write(writes)


@pytest.mark.parametrize(("losses", "status"), [(4, 200), (5, 503)])
def test_a_lost_race_is_tried_again_and_then_answered_with_busy(losses: int, status: int) -> None:
    """Nothing is half-written: either all of the add, or an error that clients know to retry."""
    service = make_service()
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    service.services.__dict__["table"] = RacingTable(service.services.table, losses)
    body = {"memoryStoreName": "mem", "scope": SCOPE, "messages": [message("hello world")]}
    answered, answer = service.call("AddMemories", body)
    assert answered == status
    assert answer.get("code", ServerBusy.code) == ServerBusy.code
    assert len(service.messages()) == (status == 200)
