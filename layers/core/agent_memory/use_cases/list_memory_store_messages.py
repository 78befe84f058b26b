"""ListMemoryStoreMessages: one conversation in the order in which it was said."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.paging import seal, unseal
from agent_memory.records import message_of
from agent_memory.requests.records import ListMemoryStoreMessagesRequest
from agent_memory.services import Services
from agent_memory.store_access import read_store
from agent_memory.times import FIRST_MS, LAST_MS


def list_memory_store_messages(request: ListMemoryStoreMessagesRequest, services: Services) -> dict[str, Any]:
    """`session` {scope, messages, nextToken}; the token also stands at the top. An unknown scope has no messages."""
    store = read_store(services.table, request.instance, request.memory_store_name)
    low = FIRST_MS if request.min_timestamp is None else request.min_timestamp
    high = LAST_MS if request.max_timestamp is None else request.max_timestamp
    binding = ("ListMemoryStoreMessages", store.uid, request.scope.path, low, high)
    token = request.next_token
    page = services.table.query(
        keys.run_partition(store.uid, request.scope),
        keys.message_time(low),
        keys.message_time(high) + keys.LAST,
        limit=request.limit,
        after=unseal(token, binding, services.paging_key)["after"] if token else None,
    )
    session: dict[str, Any] = {
        "scope": request.scope.to_json(),
        "messages": [message_of(item).to_wire() for item in page.items],
    }
    more = {"nextToken": seal({"after": page.items[-1].key.sk}, binding, services.paging_key)} if page.more else {}
    return {"session": {**session, **more}, "memoryStoreName": store.name, **more}
