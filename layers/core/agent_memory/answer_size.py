"""How much one answer may hold: a Lambda function answers with at most 6 MB, so a full page of long texts is cut."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

MAX_BYTES = 4_000_000


def fitting(entries: Sequence[Mapping[str, Any]], max_bytes: int = MAX_BYTES) -> int:
    """How many of the first entries make an answer of that many bytes of JSON; one at least, if there is one."""
    if len(json.dumps(entries)) <= max_bytes:  # escapes are never shorter than UTF-8
        return len(entries)
    size = 0
    for place, entry in enumerate(entries):
        size += len(json.dumps(entry, ensure_ascii=False).encode())
        if size > max_bytes:
            return max(place, 1)
    return len(entries)
