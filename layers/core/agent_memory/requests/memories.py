"""Requests that write and search memories (spec of the API, section 4)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from agent_memory.redaction.policy import Redaction
from agent_memory.requests.fields import (
    MAX_ADD_BYTES,
    MAX_MESSAGES,
    MAX_TOP_K,
    ClientToken,
    Flag,
    Instant,
    MessageId,
    Metadata,
    Query,
    Ratio,
    Request,
    Role,
    Speaker,
    StoreName,
    Text,
    Thresholds,
    TtlSeconds,
    null_as,
)
from agent_memory.requests.filters import FilteredRequest
from agent_memory.scopes import ExactScope, Scope, SearchScope
from agent_memory.text import utf8_size
from agent_memory.values import WireValue


class MessageInput(WireValue):
    """One message as a client sends it; `speaker` (additive) is who said it, by default the role."""

    model_config = ConfigDict(strict=True, populate_by_name=False)

    role: Role
    content: Text
    message_id: MessageId | None = None
    speaker: Speaker | None = None
    timestamp: Instant | None = None
    metadata: Metadata = Field(default_factory=dict)


class AddMemoriesRequest(Request):
    """Messages, or a text, or both, for one conversation. `interaction` is sent by the dashboard and has no effect.

    Additive: `client_token` names the call (made again, it answers as the first time), `infer` false remembers each
    text as it is, `expires_at` or `ttl_seconds` ends the life of messages and memories. `redaction` can only be
    stricter than the store's: "redact" puts a placeholder in the place of each secret, "block" refuses the call.
    """

    memory_store_name: StoreName
    scope: Scope
    messages: Annotated[list[MessageInput], Field(max_length=MAX_MESSAGES)] | None = None
    text: Text | None = None
    metadata: Metadata = Field(default_factory=dict)
    sync: Flag = False
    reference_time: Instant | None = None
    interaction: dict[str, Any] | None = None
    client_token: ClientToken | None = None
    infer: Annotated[bool, null_as(True)] = True  # noqa: FBT003 - a value, not a switch of the call
    expires_at: Instant | None = None
    ttl_seconds: TtlSeconds | None = None
    redaction: Redaction | None = None

    @model_validator(mode="before")
    @classmethod
    def _raw_sizes(cls, body: Any) -> Any:
        """Sizes are counted on what was sent, before any cleaning."""
        messages = body.get("messages") if isinstance(body, dict) else None
        if isinstance(messages, list) and sum(map(_content_size, messages)) > MAX_ADD_BYTES:
            raise ValueError(f".messages must have at most {MAX_ADD_BYTES} bytes of content (UTF-8) in all")
        text = body.get("text") if isinstance(body, dict) else None
        if isinstance(text, str) and utf8_size(text) > MAX_ADD_BYTES:
            raise ValueError(f".text must be at most {MAX_ADD_BYTES} bytes of UTF-8")
        return body

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.messages and not self.text:
            raise ValueError(".messages or text is required")
        if self.expires_at is not None and self.ttl_seconds is not None:
            raise ValueError(".expiresAt must not stand beside ttlSeconds")
        return self


def _content_size(message: Any) -> int:
    content = message.get("content") if isinstance(message, dict) else None
    return utf8_size(content) if isinstance(content, str) else 0


class SearchMemoriesRequest(FilteredRequest):
    """A question to the memories of one tenant. `top_k` bounds the results; 0 asks for none.

    Additive: `next_token` goes on behind the last result of the page before, `top_k` being the size of each page.
    `keyword_only` compares words alone: nothing is embedded, and results have no `similarity`. `dedup` "mmr" puts
    results that say nearly the same further down. `include_scores` shows what the parts of the ranking said.
    """

    query: Query
    scope: SearchScope
    context_scope: ExactScope | None = None
    top_k: Annotated[int, Field(ge=0, le=MAX_TOP_K), null_as(10)] = 10
    enable_rerank: Annotated[bool, null_as(True)] = True  # noqa: FBT003 - a value, not a switch of the call
    include_evidence: Flag = False
    min_similarity: Ratio | None = None
    thresholds: Thresholds | None = None
    keyword_only: Flag = False
    dedup: Literal["mmr"] | None = None
    include_scores: Flag = False

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.min_similarity is not None and self.thresholds is not None:
            raise ValueError(".minSimilarity must not stand beside thresholds")
        if self.keyword_only and self.min_cosine > 0:
            raise ValueError(".keywordOnly must not stand beside thresholds.minSimilarity")
        if self.context_scope is not None and not self.scope.matches(self.context_scope):
            raise ValueError(".contextScope must lie inside scope")
        return self

    @property
    def min_score(self) -> float:
        """Lower bound on `score`; the legacy minSimilarity filters it, whatever its name says."""
        bound = self.thresholds.min_score if self.thresholds else self.min_similarity
        return bound or 0.0

    @property
    def min_cosine(self) -> float:
        """Lower bound on `similarity`."""
        return (self.thresholds.min_similarity if self.thresholds else None) or 0.0
