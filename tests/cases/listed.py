"""Where an answer keeps its list, and what tells its entries apart."""

from __future__ import annotations

from typing import Any

LISTS = {
    "SearchMemories": "results",
    "ListMemories": "memories",
    "ListMemoryTasks": "tasks",
    "ListMemoryStoreScopes": "scopes",
    "ListMemoryStoreRequests": "requests",
    "ListMemoryStores": "stores",
    "GetMemoryHistory": "versions",
    "ListMemoryStoreMessages": "messages",
}


def entries_of(operation: str, answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of an answer; those of messages lie one level deeper."""
    entries: list[dict[str, Any]] = answer.get("session", answer)[LISTS[operation]]
    return entries


def identity_of(operation: str, entry: dict[str, Any]) -> str:
    """What no two entries of one listing share."""
    if operation == "ListMemoryStoreScopes":
        return "/".join(entry.values())
    inner = entry.get("unit", entry)
    names = ("messageId", "requestId", "memoryStoreName") if operation != "GetMemoryHistory" else ("version",)
    return str(next((inner[name] for name in names if name in inner), inner.get("id")))
