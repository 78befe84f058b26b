"""Records to the lines of an export. What is stored is written as it is: an export refuses nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agent_memory.models import MemoryUnit, Message
from agent_memory.scopes import Scope
from agent_memory.times import format_ms
from agent_memory.transfer.fields import pack

FORMAT = 1
_SEPARATORS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029"})  # some readers would end a line there


def store_line(store: Mapping[str, Any], asked: Mapping[str, Any], exported_ms: int) -> str:
    """The head of an export: the store object of the API, and which part of the store was asked for."""
    return _line("store", exportedAt=format_ms(exported_ms), asked=asked, store=store)


def message_line(scope: Scope, log_key: str, message: Message) -> str:
    """A message and its place in its conversation."""
    offset = {} if message.offset_minutes is None else {"offsetMinutes": message.offset_minutes}
    return _line("message", scope=scope.to_json(), logKey=log_key, message={**message.to_wire(), **offset})


def memory_line(unit: MemoryUnit, vector: bytes = b"") -> str:
    """A memory as it is now; with its vector (packed float16) where one is given."""
    given = {"vector": {"model": unit.embedding_model, "float16": pack(vector)}} if vector else {}
    return _line("memory", memory=_fields(unit), **given)


def history_line(unit: MemoryUnit, actor: str, replaced_ms: int) -> str:
    """A memory as it was until `actor` replaced it."""
    return _line("history", memory=_fields(unit), actor=actor, replacedAt=format_ms(replaced_ms))


def _fields(unit: MemoryUnit) -> dict[str, Any]:
    return {name: value for name, value in unit.to_json().items() if name != "born"}


def _line(kind: str, **fields: Any) -> str:
    text = json.dumps({"type": kind, "format": FORMAT, **fields}, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_SEPARATORS) + "\n"
