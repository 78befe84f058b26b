"""ListMemoryStoreMessages: one conversation, the latest messages first, so that further pages are the earlier ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent_memory import keys
from agent_memory.models import Message
from agent_memory.paging import seal, unseal
from agent_memory.ports import Item
from agent_memory.records import message_of
from agent_memory.requests.fields import MAX_MESSAGES
from agent_memory.requests.records import ListMemoryStoreMessagesRequest
from agent_memory.scopes import Scope
from agent_memory.services import Services
from agent_memory.store_access import TenantView, read_tenant
from agent_memory.times import FIRST_MS, LAST_MS


def list_memory_store_messages(request: ListMemoryStoreMessagesRequest, services: Services) -> dict[str, Any]:
    """`session` {scope, messages, nextToken}; the token also stands at the top. An unknown scope has no messages."""
    names = (request.instance, request.memory_store_name)
    view = read_tenant(services.table, names, request.scope.levels[:2], services.uid_hints)
    store = view.store
    low = FIRST_MS if request.min_timestamp is None else request.min_timestamp
    high = LAST_MS if request.max_timestamp is None else request.max_timestamp
    binding = ("ListMemoryStoreMessages", store.uid, request.scope.path, low, high)
    token = request.next_token
    page = services.table.query(
        keys.run_partition(store.uid, request.scope),
        keys.message_time(max(FIRST_MS, low - MAX_MESSAGES)),  # a message shows up to so many ms after it is filed
        keys.message_time(high) + keys.LAST,
        limit=request.limit,
        reverse=True,
        after=unseal(token, binding, services.paging_key)["after"] if token else None,
    )
    session: dict[str, Any] = {
        "scope": request.scope.to_json(),
        "messages": [
            message.to_wire()
            for message in _seen(page.items, request.scope, view, services.now_ms())
            if low <= message.timestamp_ms <= high
        ],
    }
    more = {"nextToken": seal({"after": page.items[-1].key.sk}, binding, services.paging_key)} if page.more else {}
    return {"session": {**session, **more}, "memoryStoreName": store.name, **more}


def _seen(items: Iterable[Item], scope: Scope, view: TenantView, now_ms: int) -> list[Message]:
    """The messages that were not deleted with their scope and have not expired; a page may come back short."""
    messages = [message_of(item) for item in items]
    return [each for each in messages if not each.expired(now_ms) and not view.visible.hides(scope, each.born)]
