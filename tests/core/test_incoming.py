"""From the messages of a request to the messages to store: identity, speaker, time."""

from __future__ import annotations

from typing import Any

import pytest

from agent_memory.errors import InvalidParameter
from agent_memory.incoming import Incoming, incoming_messages
from agent_memory.requests.memories import AddMemoriesRequest
from tests.stand_ins import START_MS


def request(*messages: dict[str, Any], **fields: Any) -> AddMemoriesRequest:
    return AddMemoriesRequest.model_validate(
        {"memoryStoreName": "mem", "scope": {"appId": "shop"}, "messages": list(messages), **fields}
    )


def incoming(*messages: dict[str, Any], **fields: Any) -> list[Incoming]:
    return incoming_messages(request(*messages, **fields), START_MS)


def said(content: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **fields}


def id_of(content: str, **fields: Any) -> str:
    return incoming(said(content, **fields))[0].id_hash


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我对虾 过敏", "  我对虾\n\u3000过敏 "),
        ("Order AB-2093", "ｏｒｄｅｒ ＡＢ－２０９３"),
        ("Straße", "STRASSE"),
        ("cafe\u0301", "CAFÉ"),
    ],
)
def test_without_an_id_the_text_is_the_identity(one: str, other: str) -> None:
    """White space, full width and case do not make another message; the first wording is kept."""
    assert id_of(one) == id_of(other)
    both = incoming(said(one), said(other))
    assert [each.message.content for each in both] == [incoming(said(one))[0].message.content]


@pytest.mark.parametrize("fields", [{"metadata": {"k": "v"}}, {"speaker": "user"}])
def test_metadata_are_no_part_of_the_identity(fields: dict[str, Any]) -> None:
    """Nor is a speaker that is named as by default."""
    assert id_of("我对虾过敏", **fields) == id_of("我对虾过敏")


def test_what_is_said_again_at_another_time_is_another_message() -> None:
    """If the messages say when; the same instant in another zone is the same."""
    first, same, later = "2020-01-01T00:00:00Z", "2020-01-01T08:00:00+08:00", "2020-03-01T00:00:00Z"
    assert id_of("我住在杭州", timestamp=first) == id_of("我住在杭州", timestamp=same)
    assert len({id_of("我住在杭州", timestamp=at) for at in (first, later)} | {id_of("我住在杭州")}) == 3


@pytest.mark.parametrize("fields", [{"role": "assistant"}, {"speaker": "小林"}, {"content": "我对虾过敏!"}])
def test_role_speaker_and_text_are_the_identity(fields: dict[str, Any]) -> None:
    """Who says it, and in which role, makes another message."""
    assert len(incoming(said("我对虾过敏"), said(**{"content": "我对虾过敏", **fields}))) == 2


def test_role_and_speaker_do_not_run_together() -> None:
    """Two pairs that join to the same text are two."""
    assert id_of("x", role="ab", speaker="c") != id_of("x", role="a", speaker="bc")


def test_the_same_id_with_the_same_content_is_one_message() -> None:
    """A repeat inside a request is stored once, the first of them."""
    found = incoming(said("a", messageId="m1"), said("b"), said("a", messageId="m1", metadata={"k": "v"}))
    first, second = found
    assert (first.message.message_id, first.position, first.message.metadata) == ("m1", 0, {})
    assert second.message.content == "b"


@pytest.mark.parametrize("other", [{"content": "b"}, {"content": "A"}, {"role": "assistant"}])
def test_the_same_id_with_other_content_is_refused(other: dict[str, Any]) -> None:
    """The error names the second of them; with an id, content is compared exactly."""
    with pytest.raises(InvalidParameter) as refused:
        incoming(said("c"), said("a", messageId="编号-1"), said(**{"content": "a", "messageId": "编号-1", **other}))
    assert refused.value.message == "messages[2].messageId is used twice with different content"


def test_an_id_of_the_client_decides_alone() -> None:
    """Two ids with one text are two messages, and a text without id is a third."""
    found = incoming(said("a", messageId="m1"), said("a", messageId="m2"), said("a"))
    assert len({each.id_hash for each in found}) == 3


def test_an_id_that_the_service_gave_is_taken() -> None:
    """Sent as the id of another text it is used twice, as any other id would be."""
    made = incoming(said("a"))[0]
    with pytest.raises(InvalidParameter):
        incoming(said("a"), said("b", messageId=made.message.message_id))


def test_a_message_sent_again_with_the_id_that_the_service_gave_it_is_the_same() -> None:
    """ListMemoryStoreMessages shows ids for all messages; a client may send back what it read."""
    made = incoming(said("我对虾过敏"))[0]
    assert id_of("我对虾过敏", messageId=made.message.message_id) == made.id_hash


def test_an_id_is_given_where_there_is_none() -> None:
    """32 hex digits that follow from the message, so a repeat has the same."""
    first, again = incoming(said("我对虾过敏"))[0], incoming(said("我对虾过敏"))[0]
    assert first.message.message_id == again.message.message_id
    assert len(first.message.message_id) == 32


def test_the_speaker_is_the_role_unless_given() -> None:
    """Chinese names too."""
    found = incoming(said("a"), said("b", speaker="小林"), said("c", role="assistant"))
    assert [each.message.speaker for each in found] == ["user", "小林", "assistant"]


def test_when_it_was_said() -> None:
    """The message's own time, else the request's reference time, else now."""
    own = said("a", timestamp="2026-11-30T18:00:00+08:00")
    times = [each.message.timestamp_ms for each in incoming(own, said("b"), referenceTime="2020-01-01T00:00:00Z")]
    assert times == [1_796_032_800_000, 1_577_836_800_000]
    assert incoming(said("a"))[0].message.timestamp_ms == START_MS


def test_the_text_of_a_request_comes_last_as_the_users() -> None:
    """One more message; where it repeats a message it is not stored again."""
    found = incoming(said("a", role="assistant"), text="我对虾过敏", referenceTime="2020-01-01T00:00:00Z")
    assert [(each.message.role, each.message.content, each.position) for each in found] == [
        ("assistant", "a", 0),
        ("user", "我对虾过敏", 1),
    ]
    assert found[1].message.timestamp_ms == 1_577_836_800_001, "a millisecond behind the message before it"
    assert len(incoming(said("我对虾过敏"), text=" 我对虾过敏 ")) == 1


def test_order_and_positions_are_those_of_the_request() -> None:
    """What is dropped leaves a gap in the positions, so an error later names the right message."""
    found = incoming(said("a"), said("A"), said("b"))
    assert [(each.message.content, each.position) for each in found] == [("a", 0), ("b", 2)]


def test_metadata_goes_with_its_message() -> None:
    """Each message has its own."""
    found = incoming(said("a", metadata={"渠道": "网页"}), said("b"))
    assert [each.message.metadata for each in found] == [{"渠道": "网页"}, {}]
