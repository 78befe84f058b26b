"""What lies in the table, as no port shows it: every row at once."""

from __future__ import annotations

from typing import Any

from agent_memory.ports import Key
from tests.conftest import Service


def rows(service: Service) -> list[tuple[Key, str]]:
    """(key, body) of every record."""
    with service.services.table._pool.connection() as connection:
        found = connection.execute("SELECT pk, sk, body FROM items ORDER BY pk, sk").fetchall()
    return [(Key(pk, sk), body) for pk, sk, body in found]


def rows_with(service: Service, *needles: str) -> list[Key]:
    """Keys of the records that hold one of the texts in key or body, but for the record of the deletion itself."""
    return [
        key
        for key, body in rows(service)
        if not key.pk.endswith("/deletions") and any(needle in f"{key.pk} {key.sk} {body}" for needle in needles)
    ]


def everything_shown(service: Service, tenant: dict[str, str], agent: str = "*", run: str = "*") -> dict[str, Any]:
    """What the operations show of a tenant, or of one of its agents or runs: texts, scopes and ids."""
    scope = {**tenant, "agentId": agent, "runId": run}
    found = service.search("the", scope=scope, topK=50, includeEvidence=True)
    listed = service.ok("ListMemories", {"memoryStoreName": "mem", "scope": scope, "limit": 100})["memories"]
    tasks = service.ok("ListMemoryTasks", {"memoryStoreName": "mem", "scope": scope, "limit": 100})["tasks"]
    scopes = service.ok("ListMemoryStoreScopes", {"memoryStoreName": "mem", "scope": scope})["scopes"]
    return {
        "found": sorted(each["unit"]["search_text"] for each in found),
        "memories": sorted(each["search_text"] for each in listed),
        "messages": sorted(message["content"] for each in scopes for message in service.messages(scope=each)),
        "tasks": sorted(each["requestId"] for each in tasks),
        "scopes": sorted("/".join(each.values()) for each in scopes),
    }
