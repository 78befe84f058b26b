"""The secret behind page tokens: made once per table, by whichever process needs it first."""

from __future__ import annotations

import secrets
from contextlib import suppress

from agent_memory import keys
from agent_memory.errors import ConditionFailed
from agent_memory.ports import Item, Put, WideTable


def read_or_make_paging_key(table: WideTable) -> bytes:
    """32 bytes, the same in every process that serves the table."""
    stored = table.get([keys.PAGING_KEY])
    if not stored:
        with suppress(ConditionFailed):  # another process was first; its key is the one
            table.write([Put(Item(keys.PAGING_KEY, {"key": secrets.token_hex(32)}), expect=0)])
        stored = table.get([keys.PAGING_KEY])
    return bytes.fromhex(stored[keys.PAGING_KEY].body["key"])
