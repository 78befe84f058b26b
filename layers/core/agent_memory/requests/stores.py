"""Requests of memory store management (spec of the API, section 3)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from agent_memory.redaction.policy import Redaction
from agent_memory.requests.fields import (
    MAX_TTL_SECONDS,
    Description,
    Instructions,
    NextToken,
    Request,
    StoreName,
    TtlSeconds,
)

InputType = Literal["messages", "file"]
OutputType = Literal["structured", "file"]
StorageMode = Literal["ots", "file+ots", "filemem"]

# What the legacy storageMode stands for: input and outputs.
OF_STORAGE_MODE: dict[str, tuple[InputType, tuple[OutputType, ...]]] = {
    "ots": ("messages", ("structured",)),
    "file+ots": ("messages", ("structured", "file")),
    "filemem": ("file", ("file",)),
}


def check_outputs(input_type: str, outputs: list[OutputType]) -> None:
    """Raises ValueError for outputs that the input cannot have."""
    if len(set(outputs)) < len(outputs):
        raise ValueError(".outputTypes must not name an output twice")
    if input_type == "file" and outputs != ["file"]:
        raise ValueError(".outputTypes must be ['file'] when inputType is file")


class CreateMemoryStoreRequest(Request):
    """Name and settings of a new store.

    Additive: `default_ttl_seconds`; `token_vectors` keeps a vector of each token beside each memory, for a closer look.
    `redaction` is about keys, tokens, passwords, card and identity numbers in what is written: "redact" stores
    placeholders such as `[SECRET:api_key]` instead, "block" refuses the call; "off" is the default.
    """

    memory_store_name: StoreName
    description: Description | None = None
    extract_instructions: Instructions | None = None
    input_type: InputType | None = None
    output_types: Annotated[list[OutputType], Field(min_length=1)] | None = None
    storage_mode: StorageMode | None = None
    wiki_reflection_enabled: bool | None = None
    default_ttl_seconds: TtlSeconds | None = None
    token_vectors: bool | None = None
    redaction: Redaction | None = None

    @model_validator(mode="after")
    def _types_fit(self) -> Self:
        if (self.input_type is None) != (self.output_types is None):
            raise ValueError(".inputType and outputTypes must be given together")
        if self.storage_mode is not None and self.input_type is not None:
            raise ValueError(".storageMode must not stand beside inputType and outputTypes")
        if self.input_type is not None and self.output_types is not None:
            check_outputs(self.input_type, self.output_types)
        return self

    @property
    def types(self) -> tuple[str, tuple[str, ...]]:
        """Input type and output types, defaults and storageMode resolved."""
        if self.input_type is not None and self.output_types is not None:
            return self.input_type, tuple(self.output_types)
        return OF_STORAGE_MODE[self.storage_mode or "ots"]


class StoreRequest(Request):
    """Any request about one store and nothing else: GetMemoryStore, DeleteMemoryStore."""

    memory_store_name: StoreName


class ListMemoryStoresRequest(Request):
    """One page of the instance's stores, by name."""

    limit: Annotated[int, Field(ge=1, le=100)] | None = None
    next_token: NextToken | None = None


class UpdateMemoryStoreRequest(Request):
    """A patch: absent or null keeps, an empty text (or a `default_ttl_seconds` of 0) clears.

    Additive: `redaction` holds for what is written from now on; what is stored already stays as it is.
    """

    memory_store_name: StoreName
    description: Description | None = None
    extract_instructions: Instructions | None = None
    output_types: Annotated[list[OutputType], Field(min_length=1)] | None = None
    wiki_reflection_enabled: bool | None = None
    default_ttl_seconds: Annotated[int, Field(ge=0, le=MAX_TTL_SECONDS)] | None = None
    redaction: Redaction | None = None
