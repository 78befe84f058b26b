"""The store: its settings and where its data lies. Shape: spec of the API, section 3.2."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from agent_memory.redaction.policy import Redaction
from agent_memory.times import format_ms
from agent_memory.values import Value


class MemoryStore(Value):
    """A store: its settings, and the `uid` under which all its data lies (a new one each time a name is reused)."""

    instance: str
    name: str
    uid: str
    description: str = ""
    extract_instructions: str = ""
    input_type: str = "messages"
    output_types: tuple[str, ...] = ("structured",)
    storage_mode: str | None = None
    wiki_reflection_enabled: bool = False
    default_ttl_seconds: int | None = None
    token_vectors: bool = False
    redaction: Redaction = "off"
    life: int = 1
    gone_apps: dict[str, int] = Field(default_factory=dict)
    created_ms: int
    updated_ms: int

    def to_wire(self) -> dict[str, Any]:
        """The store object of the API."""
        optional = {
            "description": self.description,
            "extractInstructions": self.extract_instructions,
            "storageMode": self.storage_mode,
            "defaultTtlSeconds": self.default_ttl_seconds,
        }
        return {
            "otsInstance": self.instance,
            "memoryStoreName": self.name,
            "storeUid": self.uid,
            **{name: value for name, value in optional.items() if value},
            "inputType": self.input_type,
            "outputTypes": list(self.output_types),
            "wikiReflectionEnabled": self.wiki_reflection_enabled,
            **({"tokenVectors": True} if self.token_vectors else {}),
            **({} if self.redaction == "off" else {"redaction": self.redaction}),
            "createdAt": format_ms(self.created_ms),
            "updatedAt": format_ms(self.updated_ms),
        }
