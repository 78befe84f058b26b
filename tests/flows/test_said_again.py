"""What is said again after a memory of it was edited or lost its sources."""

from __future__ import annotations

from typing import Any

from tests.conftest import SCOPE, Service

OLD = "my dog is called Rex"
NEW = "the cat is called 咪咪"


def texts(service: Service) -> set[str]:
    answer = service.ok("ListMemories", {"memoryStoreName": "mem", "scope": SCOPE})
    return {unit["search_text"].removeprefix("user: ") for unit in answer["memories"]}


def say(service: Service, message_id: str) -> dict[str, Any]:
    answer = service.add([{"role": "user", "content": OLD, "messageId": message_id}])
    service.drain()
    return service.task(answer["requestId"])


def edit(service: Service, memory_id: str) -> None:
    service.ok("UpdateMemory", {"memoryStoreName": "mem", "memoryId": memory_id, "text": NEW})


def test_an_edited_memory_and_what_is_said_again_stand_side_by_side(service: Service) -> None:
    """New evidence for the old words is a memory of its own, which the task names and a repeat finds."""
    (edited,) = say(service, "1")["derivedUnitIds"]
    edit(service, edited)
    assert say(service, "1")["derivedUnitIds"] == [edited], "the same message is no news"
    assert texts(service) == {NEW}
    (again,) = say(service, "2")["derivedUnitIds"]
    assert again != edited
    assert again[:12] == edited[:12]
    assert texts(service) == {OLD, NEW}
    assert say(service, "3")["derivedUnitIds"] == [again]
    assert OLD in service.search("what is the dog called")[0]["unit"]["text"]
    edit(service, again)
    (third,) = say(service, "4")["derivedUnitIds"]
    assert third not in (edited, again)
    assert OLD in texts(service)


def test_a_memory_of_many_messages_goes_with_the_last_of_them(service: Service) -> None:
    """Also when it was said more often than references are kept."""
    ids = [f"m{number}" for number in range(140)]
    for start in range(0, 140, 20):
        service.add([{"role": "user", "content": OLD, "messageId": each} for each in ids[start : start + 20]])
    service.drain()
    for start in range(0, 140, 70):
        body = {"memoryStoreName": "mem", "scope": SCOPE, "messageIds": ids[start : start + 70]}
        service.ok("DeleteMessages", body)
    service.drain("maintenance")
    assert (texts(service), service.messages()) == (set(), [])
