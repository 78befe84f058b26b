"""Where a memory stands in its conversation: 24 bytes that sort as the keys of the messages' log do."""

from __future__ import annotations

import re

from agent_memory.times import FIRST_MS, LAST_MS

PLACE_BYTES = 24
_TIME_BYTES = 7  # fifteen decimal digits
_TAIL_BYTES = PLACE_BYTES - 2 * _TIME_BYTES  # eight hex digits of the request, two of the message's position in it
_LOG_KEY = re.compile(r"at/([0-9]{15})/([0-9]{15})([^/]*)(?:/.*)?", re.DOTALL)


def place_of(log_key: str | None, created_ms: int) -> bytes:
    """The place of the message with that sort key; of what has none, or a text that is none, by when it was said.

    Without a key it stands before all messages that were said in the same millisecond.
    """
    match = _LOG_KEY.fullmatch(log_key) if log_key else None
    if match is None:
        said = min(max(created_ms, FIRST_MS), LAST_MS) - FIRST_MS
        return said.to_bytes(_TIME_BYTES, "big").ljust(PLACE_BYTES, b"\0")
    said_then, arrived = (int(digits).to_bytes(_TIME_BYTES, "big") for digits in match.groups()[:2])
    tail = match[3].encode("utf-8", "surrogatepass")[:_TAIL_BYTES]
    return said_then + arrived + tail.ljust(_TAIL_BYTES, b"\0")
