"""Requests that forget: a whole scope, or messages of one conversation. Additive to the API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from agent_memory.requests.fields import MessageId, Request, StoreName, null_as
from agent_memory.scopes import ANY, ExactScope, Required, ScopePattern, Widened

MAX_MESSAGE_IDS = 100


def _not_empty(level: Any) -> Any:
    """An empty text is more often a variable that was not set than the wish to delete everything below."""
    if level == "":
        raise ValueError("must not be empty: leave it out, or say '*', for everything below")
    return level


Below = Annotated[Widened, BeforeValidator(_not_empty)]


class DeletedScope(ScopePattern):
    """A prefix of scopes: an application, one of its tenants, agents or runs. Omitted or `*`: everything below."""

    app_id: Required
    tenant_id: Below = ANY
    agent_id: Below = ANY
    run_id: Below = ANY


class DeleteScopeRequest(Request):
    """Everything of the scope goes: memories and their history, messages, tasks, client tokens. There is no undo.

    It is out of sight when the call answers; the records are removed in the background, and `GetMemoryTask` with the
    answer's `requestId` tells when that is done. Tasks that were not done end as `failed` (SCOPE_DELETED) and can still
    be asked for. What is added afterwards, the same messages too, is new. May be repeated.
    """

    memory_store_name: StoreName
    scope: DeletedScope


class DeleteMessagesRequest(Request):
    """Messages of one conversation go, by the ids that ListMemoryStoreMessages shows. There is no undo.

    `cascade` "memories", the default, also deletes the memories that come from these messages alone, with their
    history: whoever asks to be forgotten means what was concluded, too. "none" keeps them. Memories that stay lose
    their reference to the messages.
    """

    memory_store_name: StoreName
    scope: ExactScope
    message_ids: Annotated[list[MessageId], Field(min_length=1, max_length=MAX_MESSAGE_IDS)]
    cascade: Annotated[Literal["memories", "none"], null_as("memories")] = "memories"
