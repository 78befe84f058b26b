"""A memory's place in its conversation sorts as the messages' keys do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.keys import message_log_key
from agent_memory.retrieval.places import PLACE_BYTES, place_of
from agent_memory.times import FIRST_MS, LAST_MS

TIMES = st.sampled_from([FIRST_MS, 0, 1_796_032_800_000, LAST_MS]) | st.integers(FIRST_MS, LAST_MS)
TAILS = st.tuples(st.integers(0, 2**32 - 1) | st.sampled_from([1, 2]), st.integers(0, 99))
KEYS = st.builds(
    lambda said, arrived, tail: message_log_key(said, arrived, f"{tail[0]:08x}{tail[1]:02d}/{'0' * 32}"),
    TIMES,
    TIMES,
    TAILS,
)


@given(KEYS, KEYS)
def test_places_sort_as_keys(one: str, other: str) -> None:
    """By when it was said, when it came, and its place in the request; equal only for one message."""
    places = place_of(one, 0), place_of(other, 0)
    assert (places[0] < places[1], places[0] == places[1]) == (one < other, one == other)


@given(st.none() | st.text() | st.from_regex(r"at/[0-9]{15}/[0-9]{15}[^/]{0,40}/x", fullmatch=True), st.integers())
def test_every_text_has_a_place(text: str | None, created_ms: int) -> None:
    """24 bytes, whatever stands in the record."""
    assert len(place_of(text, created_ms)) == PLACE_BYTES


@given(TIMES, KEYS)
def test_without_a_key_the_time_decides(created_ms: int, key: str) -> None:
    """Such a memory stands before the messages of its millisecond and behind those before."""
    place = place_of(None, created_ms)
    assert place == place_of("客服", created_ms)
    assert place <= place_of(message_log_key(created_ms, FIRST_MS, "/"), 0)
    if created_ms > FIRST_MS:
        assert place > place_of(message_log_key(created_ms - 1, LAST_MS, "f" * 10 + "/"), 0)
