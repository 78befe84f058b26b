"""Lines of an export: written from records, read back as they were, or refused; and how they are put together."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory import keys
from agent_memory.incoming import incoming_messages
from agent_memory.local.transfer_input import BYTES, LINES, MAX_LINE_BYTES, TOO_LONG, parcels
from agent_memory.models import MemoryUnit, Message, TurnRef
from agent_memory.packed_vectors import pack_vector
from agent_memory.ports import MAX_WRITES
from agent_memory.requests.memories import AddMemoriesRequest
from agent_memory.scopes import Scope
from agent_memory.text import clean
from agent_memory.times import FIRST_MS, LAST_MS, format_ms
from agent_memory.transfer import batches as parts
from agent_memory.transfer.batches import Incoming, batches
from agent_memory.transfer.fields import unpack
from agent_memory.transfer.incoming_lines import (
    HistoryLine,
    LineError,
    MemoryLine,
    MessageLine,
    StoreLine,
    read_line,
)
from agent_memory.transfer.outgoing_lines import history_line, memory_line, message_line, store_line

SCOPE = Scope(app_id="商店", tenant_id="t%2F1", agent_id="__default__", run_id="会话 #1")
BORN = (3, 7)

texts = st.text(max_size=60).map(clean)
names = st.text(min_size=1, max_size=30).map(clean).filter(bool)
instants = st.integers(FIRST_MS, LAST_MS)
metadata = st.dictionaries(names, texts, max_size=4)
levels = st.text(st.sampled_from("ab虾🦐%2F#. \u0301"), min_size=1, max_size=20)
scopes = st.tuples(levels, levels, levels, levels).map(
    lambda four: Scope(app_id=four[0], tenant_id=four[1], agent_id=four[2], run_id=four[3])
)


@st.composite
def messages(draw: Any) -> tuple[str, Message]:
    """A message and its sort key."""
    message_id = draw(st.text("ab号🦐/", min_size=1, max_size=20))
    said = draw(instants)
    message = Message(
        message_id=message_id,
        role=draw(st.sampled_from(["user", "assistant", "工具"])),
        speaker=draw(names),
        content=draw(texts),
        timestamp_ms=said,
        metadata=draw(metadata),
        born=BORN,
        expires_ms=draw(st.none() | instants),
    )
    return keys.message_log_key(said, draw(instants), f"0a1b2c3d07/{keys.digest('id', message_id)}"), message


@st.composite
def units(draw: Any) -> MemoryUnit:
    """Any memory."""
    scope = draw(scopes)
    refs = [
        TurnRef(message_id=message.message_id, timestamp_ms=message.timestamp_ms, log_key=log_key)
        for log_key, message in draw(st.lists(messages(), max_size=3))
    ]
    return MemoryUnit(
        id=keys.tenant_hash(scope.app_id, scope.tenant_id) + keys.digest(draw(texts), length=20),
        scope=scope,
        unit_type=draw(names),
        text=draw(texts),
        search_text=draw(texts),
        title=draw(st.none() | names),
        keywords=tuple(draw(st.lists(names, max_size=3))),
        effective_at=draw(st.sampled_from(["2024", "2024-02", "2024-02-29", "2024-02-29T10:00:00Z"])),
        time_precision=draw(st.sampled_from(["second", "day", "month", "year"])),
        time_source="phrase",
        salience=draw(st.floats(0, 1)),
        importance=draw(st.none() | st.integers(1, 10)),
        metadata=draw(metadata),
        source_turn_refs=tuple(refs),
        seen_count=draw(st.integers(1, 10**9)),
        created_at=format_ms(draw(instants)),
        updated_at=format_ms(draw(instants)),
        retired_at=draw(st.none() | instants.map(format_ms)),
        expires_at=draw(st.none() | instants.map(format_ms)),
        embedding_model="m",
        born=BORN,
        version=draw(st.integers(1, 1_000)),
    )


@settings(max_examples=60)
@given(scopes, messages())
def test_a_message_comes_back_from_its_line(scope: Scope, given_message: tuple[str, Message]) -> None:
    """Every field, the place in the conversation, in one line."""
    log_key, message = given_message
    text = message_line(scope, log_key, message)
    assert text.splitlines(keepends=True) == [text]
    line = read_line(text)
    assert isinstance(line, MessageLine)
    assert (line.scope, line.log_key) == (scope, log_key)
    assert line.message.to_message(BORN) == message


@settings(max_examples=60)
@given(units())
def test_a_memory_comes_back_from_its_line(unit: MemoryUnit) -> None:
    """Now and as an earlier version, with its vector; `born` is not in the line."""
    packed = pack_vector(np.array([0.5, -0.25, 0.125], np.float32))
    text = memory_line(unit, packed)
    assert text.splitlines(keepends=True) == [text]
    line = read_line(text)
    assert isinstance(line, MemoryLine)
    assert line.memory.to_unit(born=BORN) == unit
    assert line.packed("m", 3) == packed
    assert line.packed("m", 4) == line.packed("n", 3) == b""
    earlier = read_line(history_line(unit, "王编辑", 1_234))
    assert isinstance(earlier, HistoryLine)
    assert (earlier.memory.to_unit(born=BORN), earlier.actor) == (unit, "王编辑")
    assert earlier.replaced_at == "1970-01-01T00:00:01.234Z"


@settings(max_examples=100)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda some: st.lists(some) | st.dictionaries(st.text(), some),
    )
)
def test_anything_else_is_refused_in_words(value: Any) -> None:
    """Never with another error, and in a text that every answer can carry."""
    for text in (json.dumps(value), str(value)):
        with pytest.raises(LineError) as refused:
            read_line(text)
        problem = str(refused.value)
        assert 0 < len(problem) <= 200
        assert clean(problem) == problem


def test_what_add_memories_takes_at_its_limits_can_be_moved() -> None:
    """NFC makes three characters of one here; what was stored is exported, and must be taken again."""
    longer = "\ufb2c"  # a Hebrew letter with two points
    request = AddMemoriesRequest.model_validate(
        {
            "memoryStoreName": "mem",
            "scope": {"appId": "虾" * 42},
            "messages": [
                {
                    "role": "r" * 64,
                    "speaker": longer * 128,
                    "content": longer * 10_666,
                    "messageId": "🦐" * 256,
                    "metadata": {longer * 64: "v", "k": "虾" * 21_000},
                }
            ],
        },
        by_alias=True,
    )
    (incoming,) = incoming_messages(request, 0)
    log_key = keys.message_log_key(0, 0, f"0a1b2c3d00/{incoming.id_hash}")
    line = read_line(message_line(request.scope, log_key, incoming.message))
    assert isinstance(line, MessageLine)
    assert line.message.to_message(incoming.message.born) == incoming.message
    unit = MemoryUnit(
        id=keys.tenant_hash(*request.scope.levels[:2]) + "0" * 20,
        scope=request.scope,
        unit_type="text",
        text=f"[2024-01-01T00:00:00Z] {incoming.message.speaker}: {incoming.message.content}",
        search_text=f"{incoming.message.speaker}: {incoming.message.content}",
        effective_at="2024",
        time_precision="year",
        time_source="phrase",
        metadata=incoming.message.metadata,
        source_turn_refs=(TurnRef(message_id="🦐" * 256, timestamp_ms=FIRST_MS, log_key=log_key),),
        created_at="2024-01-01T00:00:00Z",
        updated_at="2024-01-01T00:00:00Z",
    )
    memory = read_line(memory_line(unit))
    assert isinstance(memory, MemoryLine)
    assert memory.memory.to_unit(born=unit.born) == unit


def test_a_record_that_no_table_would_take_is_refused() -> None:
    """Each field within its limit, and the whole over 400 KB."""
    unit = json.loads(memory_line(one_unit("x")))
    refs = [{"message_id": "🦐" * 256, "timestamp_ms": 1, "log_key": f"at/{0:015}/{0:015}/{'0' * 32}"}] * 200
    unit["memory"] |= {"text": "x" * 100_000, "search_text": "x" * 100_000, "source_turn_refs": refs}
    with pytest.raises(LineError, match="is larger than a record may be"):
        read_line(json.dumps(unit))


def test_the_head_of_an_export_is_a_line_too() -> None:
    """Settings and what was asked for, whatever they are."""
    line = read_line(store_line({"memoryStoreName": "mem", "later": [1]}, {"include": ["messages"]}, 0))
    assert isinstance(line, StoreLine)
    assert (line.store["later"], line.asked) == ([1], {"include": ["messages"]})


@pytest.mark.parametrize("text", ["", "AA", "AAA=", "QQ==", "AAA", "AHw=", "AH4=", "AAA\n", "虾"])
def test_no_vector_is_made_of_what_is_none(text: str) -> None:
    """Empty, cut short, all zero, infinite, not a number, no base64."""
    with pytest.raises(ValueError, match="must be"):
        unpack(text)


def one_unit(text: str, run: str = "r", tenant: str = "t", number: int = 0) -> MemoryUnit:
    return MemoryUnit(
        id=keys.tenant_hash("a", tenant) + f"{number:020x}",
        scope=Scope(app_id="a", tenant_id=tenant, agent_id="b", run_id=run),
        unit_type="text",
        text=text,
        search_text=text,
        effective_at="2024",
        time_precision="year",
        time_source="phrase",
        source_turn_refs=(),
        created_at="2024-01-01T00:00:00Z",
        updated_at="2024-01-01T00:00:00Z",
    )


@st.composite
def incoming(draw: Any) -> list[Incoming]:
    """Records of two tenants and four conversations, some of them large, some named twice."""
    made = []
    for number in range(draw(st.integers(0, 60))):
        tenant, run = draw(st.sampled_from(["t", "t", "t", "u"])), draw(st.sampled_from("abcd"))
        kind = draw(st.sampled_from(["message", "memory", "history"]))
        unit = one_unit("x" * draw(st.sampled_from([1, 30, 9_000])), run, tenant, draw(st.integers(0, 200)))
        message_id = f"m{draw(st.integers(0, 200))}"
        message = Message(message_id=message_id, role="user", speaker="user", content="x", timestamp_ms=0)
        text = {
            "message": message_line(
                unit.scope, keys.message_log_key(0, 0, f"00/{keys.digest('id', message_id)}"), message
            ),
            "memory": memory_line(unit),
            "history": history_line(unit, "x", 0),
        }[kind]
        line = read_line(text)
        assert not isinstance(line, StoreLine)
        made.append(Incoming(number, draw(st.sampled_from([300, 300_000])), line))
    return made


@settings(max_examples=20)
@given(incoming())
def test_a_batch_fits_into_a_transaction(records: list[Incoming]) -> None:
    """One tenant, no record twice, writes and bytes within bounds, and the order of the lines."""
    made = list(batches(records))
    assert [each for batch in made for each in batch] == records
    for batch in made:
        assert len({each.tenant for each in batch}) == 1
        assert len({each.line.ident for each in batch}) == len(batch)
        weights = {"message": 3, "memory": 1, "history": 2}
        runs = {each.line.scope.path for each in batch}
        assert 7 + len(runs) + sum(weights[each.line.type] for each in batch) <= MAX_WRITES
        assert sum(each.size for each in batch) <= parts.MAX_BYTES
        assert len(batch) == 1 or sum(each.embedded_bytes for each in batch) <= parts.MAX_EMBEDDED_BYTES


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_parcels_hold_the_file(end: bytes) -> None:
    """In order, bounded by number and by bytes, numbered by the first line; what is too long is replaced."""
    lines = [b"%d" % number for number in range(LINES + 1)] + [b"x" * (BYTES // 2 + 1)] * 3 + ["虾".encode()]
    found = list(parcels(io.BytesIO(b"\n".join(lines) + end)))
    assert [line for parcel in found for line in parcel.lines] == [line + b"\n" for line in lines]
    assert [parcel.first for parcel in found] == [1, LINES + 1, LINES + 3, LINES + 4]
    assert found[-1].text.endswith("虾\n")
    long = list(parcels(io.BytesIO(b"a\n" + b"y" * (2 * MAX_LINE_BYTES) + b"\nb" + end)))
    assert [line for parcel in long for line in parcel.lines] == [b"a\n", TOO_LONG, b"b\n"]
    assert list(parcels(io.BytesIO(b""))) == []
