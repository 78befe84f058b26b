"""ListMemoryStores: the instance's stores by name, a page at a time."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.paging import seal, unseal
from agent_memory.records import store_of
from agent_memory.requests.stores import ListMemoryStoresRequest
from agent_memory.services import Services

DEFAULT_LIMIT = 100


def list_memory_stores(request: ListMemoryStoresRequest, services: Services) -> dict[str, Any]:
    """`stores` (full store objects) that the caller may use, `nextToken` while there are more."""
    binding = ("ListMemoryStores", request.instance)
    token = request.next_token
    after = unseal(token, binding, services.paging_key)["name"] if token else None
    page = services.table.query(
        keys.store(request.instance, "").pk, "", keys.LAST, limit=request.limit or DEFAULT_LIMIT, after=after
    )
    stores = [store_of(item) for item in page.items]
    answer: dict[str, Any] = {"stores": [each.to_wire() for each in stores if request.caller.may_use_store(each.name)]}
    if page.more:
        answer["nextToken"] = seal({"name": page.items[-1].key.sk}, binding, services.paging_key)
    return answer
