"""A store with something of everything, and the calls that take it out and bring it in."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agent_memory import keys
from agent_memory.change_log import log_writes
from agent_memory.models import MemoryUnit
from agent_memory.ports import Item, Put
from agent_memory.records import born_of, unit_item, unit_of
from agent_memory.times import format_ms
from tests.conftest import SCOPE, Service, make_service

ALLERGY = "我对虾过敏，请记住🦐"
SCOPES = (
    SCOPE,
    {**SCOPE, "runId": "会话#2"},
    {"appId": "shop", "tenantId": "t%2F1", "agentId": "a1", "runId": "r1"},
    {"appId": "应用", "tenantId": "租户 一", "agentId": "__default__", "runId": "r1"},
)


def partition_of(service: Service, scope: dict[str, str], store: str = "mem") -> str:
    uid = service.ok("GetMemoryStore", {"memoryStoreName": store})["storeUid"]
    return keys.tenant_partition(uid, scope["appId"], scope["tenantId"])


def items(service: Service, partition: str, prefix: str) -> list[Item]:
    return list(service.services.table.query(partition, *keys.prefix_range(prefix), limit=1_000).items)


def allergy(service: Service, scope: dict[str, str]) -> Item:
    """The record of the conversation's memory of the allergy."""
    stored = items(service, partition_of(service, scope), "unit/")
    return next(item for item in stored if "虾" in item.body["text"] and item.body["scope"] == scope)


def change_unit(service: Service, scope: dict[str, str], **changes: Any) -> MemoryUnit:
    """The memory with these fields, its old version kept, as an update writes it."""
    partition = partition_of(service, scope)
    old = allergy(service, scope)
    unit = unit_of(old).model_copy(update={**changes, "version": old.version + 1})
    body = {
        "scope": unit.scope.to_json(),
        "born": list(born_of(old)),
        "unit": unit_of(old).to_json(),
        "actor": "王编辑",
        "replacedMs": service.clock.milliseconds(),
    }
    head = service.services.table.get([keys.head(partition)])[keys.head(partition)].version
    service.services.table.write(
        [
            Put(unit_item(partition, unit, old.blob), expect=old.version),
            Put(Item(keys.earlier(partition, unit.id, old.version), body, ttl=old.ttl)),
            *log_writes(partition, head, puts=[unit.id]),
        ]
    )
    return unit


def filled(service: Service) -> Service:
    """Four conversations of three tenants: metadata, a memory seen twice, changed, retired, expiring; odd texts."""
    for scope in SCOPES:
        service.add(
            [
                {"role": "user", "speaker": "小林", "content": ALLERGY, "timestamp": "2024-02-29T23:59:59.999+08:00"},
                {
                    "role": "assistant",
                    "content": "I will remember your shrimp allergy.",
                    "metadata": {"渠道": "网页 \u2028"},
                },
                {
                    "role": "user",
                    "content": 'She said "quote\\back" \t tab\nline 2\u2028separator',
                    "messageId": "编号-1",
                },
            ],
            scope=scope,
            metadata={"session": "s1", "标签": "过敏"},
        )
        service.clock.advance(1)
        service.add("I moved to Hamburg in March 2021.", scope=scope, ttlSeconds=86_400)
        service.clock.advance(1)
        service.add([{"role": "user", "speaker": "小林", "content": ALLERGY, "messageId": "again"}], scope=scope)
    service.drain()
    patch = {"memoryStoreName": "mem", "memoryId": allergy(service, SCOPES[0]).body["id"]}
    service.ok("UpdateMemory", {**patch, "title": "过敏", "keywords": ["虾", "allergy"], "metadata": {"渠道": "电话"}})
    service.clock.advance(1)
    change_unit(
        service,
        SCOPES[0],
        text="The user must not eat shrimp. 不能吃虾",
        effective_at="2024-02",
        time_precision="month",
    )
    change_unit(service, SCOPES[3], retired_at=format_ms(service.clock.milliseconds()), superseded_by="0" * 32)
    return service


def export(service: Service, store: str = "mem", **fields: Any) -> list[str]:
    """All lines of an export, without their ends."""
    return [line for page in export_pages(service, store, **fields) for line in page]


def export_pages(
    service: Service, store: str = "mem", between: Callable[[], None] | None = None, **fields: Any
) -> list[list[str]]:
    pages, token = [], {}
    while True:
        answer = service.ok("ExportMemoryStore", {"memoryStoreName": store, **fields, **token})
        text = answer["lines"]
        assert text.endswith("\n") or not text
        assert answer["count"] == text.count("\n")
        pages.append(text.split("\n")[:-1])
        if "nextToken" not in answer:
            return pages
        token = {"nextToken": answer["nextToken"]}
        if between:
            between()


def bring(service: Service, lines: list[str], store: str = "mem", **fields: Any) -> tuple[int, int, list[Any]]:
    """(imported, skipped, failed) of one import."""
    body = {"memoryStoreName": store, "lines": "\n".join(lines), **fields}
    answer = service.ok("ImportMemories", body)
    return answer["imported"], answer["skipped"], answer["failed"]


def fresh(store: str = "other", **ports: Any) -> Service:
    """A new service with a store of that name; its clock stands where the full one's does, roughly."""
    made = make_service(**ports)
    made.clock.advance(60)
    made.ok("CreateMemoryStore", {"memoryStoreName": store})
    return made


def kinds(lines: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in lines:
        found[json.loads(line)["type"]] = found.get(json.loads(line)["type"], 0) + 1
    return found


def bury(service: Service, scope: dict[str, str]) -> str:
    """Delete the memory of the allergy."""
    memory_id = allergy(service, scope).body["id"]
    service.ok("DeleteMemory", {"memoryStoreName": "mem", "memoryId": memory_id})
    return str(memory_id)
