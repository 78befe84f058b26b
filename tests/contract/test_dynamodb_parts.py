"""Answers of DynamoDB that hold only a part: unprocessed keys and writes, pages of a query."""

from __future__ import annotations

from typing import Any

import pytest

from agent_memory.errors import ServerBusy, ServiceUnavailable
from agent_memory.ports import Delete, Key

from .scripted_dynamodb import ATTEMPTS, NAME, Scripted, Waits, puts, table_of
from .table_items import LAST


def leave_all(**request: Any) -> dict[str, Any]:
    """Do nothing, and give everything back as unprocessed."""
    asked = request["RequestItems"]
    return {"Responses": {}, "UnprocessedItems": asked, "UnprocessedKeys": asked}


def leave_last(**request: Any) -> dict[str, Any]:
    """Process all but the last write."""
    return {"UnprocessedItems": {NAME: request["RequestItems"][NAME][-1:]}}


def answer_first(**request: Any) -> dict[str, Any]:
    """Give the first of the asked items and leave the other keys."""
    keys = request["RequestItems"][NAME]["Keys"]
    left = {NAME: {"Keys": keys[1:], "ConsistentRead": True}} if keys[1:] else {}
    return {"Responses": {NAME: [keys[0] | {"v": {"N": "1"}, "b": {"S": "{}"}}]}, "UnprocessedKeys": left}


def test_unprocessed_writes_are_sent_again_after_a_pause() -> None:
    """Only what was left over is sent again, until nothing is."""
    client, waits = Scripted(leave_last, leave_last, {}), Waits()

    table_of(client, waits).write_many(puts(3))

    sent = [len(request["RequestItems"][NAME]) for _, request in client.requests]
    assert sent == [3, 1, 1]
    assert client.requests[1][1]["RequestItems"][NAME] == client.requests[0][1]["RequestItems"][NAME][-1:]
    assert waits.seconds == [0.025, 0.05]


def test_batches_have_25_writes() -> None:
    """53 writes are three calls; deletes and puts share them."""
    client = Scripted({})

    table_of(client).write_many([*puts(52), Delete(Key("p", "x"))])

    assert [len(request["RequestItems"][NAME]) for _, request in client.requests] == [25, 25, 3]
    assert client.requests[-1][1]["RequestItems"][NAME][-1] == {
        "DeleteRequest": {"Key": {"pk": {"S": "p"}, "sk": {"S": "x"}}}
    }


def test_writes_that_stay_unprocessed_end_in_server_busy() -> None:
    """The tries without progress are bounded and wait longer each time, with jitter."""
    client, waits = Scripted(leave_all), Waits()

    with pytest.raises(ServerBusy):
        table_of(client, waits).write_many(puts(2))

    assert len(client.requests) == ATTEMPTS
    assert waits.seconds == [0.05, 0.1, 0.2, 0.4, 0.8]


def test_unprocessed_keys_are_asked_for_again() -> None:
    """Answers of one item each still give all items, however many answers that takes."""
    client, waits = Scripted(answer_first), Waits()
    keys = [Key("p", f"{n:02}") for n in range(ATTEMPTS * 2)]

    found = table_of(client, waits).get([*keys, keys[0]])

    assert list(found) == keys
    assert len(client.requests) == len(keys)
    assert set(waits.seconds) == {0.025}
    assert all(request["RequestItems"][NAME]["ConsistentRead"] for _, request in client.requests)


def test_keys_that_stay_unprocessed_end_in_server_busy() -> None:
    """As for writes."""
    client = Scripted(leave_all)

    with pytest.raises(ServerBusy):
        table_of(client).get([Key("p", "a")])

    assert len(client.requests) == ATTEMPTS


def test_a_query_goes_over_empty_answers() -> None:
    """DynamoDB may answer with no item and a place to go on from."""
    attributes = {"pk": {"S": "p"}, "sk": {"S": "b"}, "v": {"N": "1"}, "b": {"S": "{}"}}
    place = {"pk": {"S": "p"}, "sk": {"S": "a"}}
    client = Scripted({"Items": [], "LastEvaluatedKey": place}, {"Items": [attributes]})

    page = table_of(client).query("p", "", LAST, limit=5)

    assert ([each.key.sk for each in page.items], page.more) == (["b"], False)
    assert client.requests[1][1]["ExclusiveStartKey"] == place


def test_a_query_that_does_not_get_on_ends() -> None:
    """The same place twice is an outage, not an endless loop."""
    client = Scripted({"Items": [], "LastEvaluatedKey": {"pk": {"S": "p"}, "sk": {"S": "a"}}})

    with pytest.raises(ServiceUnavailable):
        table_of(client).query("p", "", LAST, limit=5)
    assert len(client.requests) == 2


def test_nothing_is_asked_for_an_empty_range() -> None:
    """DynamoDB would refuse these ranges; no call is made."""
    client = Scripted({})

    table_of(client).query("p", "b", "a", limit=5)
    table_of(client).query("p", "a", "b", limit=5, after="b")
    table_of(client).get([])
    table_of(client).write_many([])

    assert client.requests == []
