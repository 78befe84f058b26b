"""GetMemoryHistory: the versions of a memory that updates replaced."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.paging import seal, unseal
from agent_memory.requests.units import GetMemoryHistoryRequest
from agent_memory.services import Services
from agent_memory.unit_access import find_unit
from agent_memory.unit_history import version_to_wire, versions_range


def get_memory_history(request: GetMemoryHistoryRequest, services: Services) -> dict[str, Any]:
    """`versions` {version, memory, actor, replacedAt}, newest first, without the present one; `memoryId`."""
    found = find_unit(request, services.table, services.now_ms())
    binding = ("GetMemoryHistory", found.store.uid, found.unit.id)
    token = request.next_token
    before = unseal(token, binding, services.paging_key)["before"] if token else None
    page = services.table.query(
        found.partition,
        *versions_range(found),
        limit=request.limit,
        after=None if before is None else keys.earlier(found.partition, found.unit.id, before).sk,
        reverse=True,
    )
    entries = [version_to_wire(item, found.visible) for item in page.items]
    answer = {"versions": [each for each in entries if each], "memoryId": found.unit.id}
    if page.more:
        last = int(page.items[-1].key.sk.rpartition("/")[2])
        answer["nextToken"] = seal({"before": last}, binding, services.paging_key)
    return {**answer, "memoryStoreName": found.store.name}
