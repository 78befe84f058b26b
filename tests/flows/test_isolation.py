"""Two tenants, and one of them tries everything: no byte of the other's data is in any answer.

The attacker knows the victim's names, ids and page tokens, and signs in with a key of its own tenant, or with a free
key but only its own scope. The needle stands in the victim's texts, speakers, metadata, agent and run names.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from agent_memory.local.functions import load_routes
from agent_memory.signin.limits import Limits, ScopeLimit
from agent_memory.signin.new_keys import Terms, make_api_key
from tests.conftest import Service, make_service

NEEDLE = "ZANZIBAR-7731"
CALLS = 2_000
VICTIM = {"appId": "shop", "tenantId": "victim", "agentId": f"bot {NEEDLE}", "runId": f"会话 {NEEDLE}"}
OWN = {"appId": "shop", "tenantId": "attacker", "agentId": "a", "runId": "r"}
HOSTILE = [
    "*", "**", "%2A", "%2F", "shop/victim", "victim", "victim/", "../victim", "victim%2F", "'victim'", '"victim"',
    "vіctim", "victim\u200b", "ｖｉｃｔｉｍ", "victim\u0000", "victim#", "", " ", "attacker*", "?", "%", "_", "$ne",
    "{}", "\ud800", "受害者",
    "victim' OR '1'='1", "attacker/../victim", "\u202evictim", "a" * 128, "a" * 129, "__default__",
]  # fmt: skip


class Attack:
    """Random requests made of hostile parts and of what the attacker has learnt of the victim."""

    def __init__(self, service: Service, key: str, own_scope_only: bool) -> None:
        self.random = random.Random(7731)
        self.service, self.key, self.own_scope_only = service, key, own_scope_only
        self.operations = sorted(load_routes())
        self.learnt = learn(service)

    def pick(self, *values: Any) -> Any:
        return self.random.choice(values)

    def mostly(self, *usual: Any) -> Any:
        """One of these, or now and then something hostile."""
        return self.random.choice(usual if self.random.random() < 0.85 else HOSTILE)

    def level(self) -> Any:
        return self.pick(*HOSTILE, "victim", "attacker", "shop", None, 7, ["victim"], {"$ne": "x"})

    def scope(self) -> Any:
        if self.own_scope_only:
            return dict(OWN)
        named = [OWN, {"appId": "shop"}, {"appId": "shop", "tenantId": "victim"}, {**OWN, "tenantId": "victim"}]
        wild = [{"appId": "*"}, {"appId": "shop", "tenantId": "*", "agentId": "*", "runId": "*"}]
        made = {name: self.level() for name in ("appId", "tenantId", "agentId", "runId")}
        return self.pick(*named, *wild, made, made, made, None, "shop/victim", [])

    def filter(self) -> Any:
        leaf = {
            "op": self.pick("eq", "prefix", "wildcard", "exists", "near"),
            "field": "tenantId",
            "value": self.level(),
        }
        return self.pick(leaf, {"op": "not", "condition": leaf}, {"op": "or", "conditions": [leaf, leaf]}, None, [leaf])

    def makers(self) -> dict[str, Callable[[], Any]]:
        """Something for a field of that name, mostly of the right shape."""
        return {
            "memoryStoreName": lambda: self.mostly("mem", "mem", "mem", "other"),
            "scope": self.scope,
            "contextScope": self.scope,
            "filter": self.filter,
            "metadataFilter": self.filter,
            "nextToken": lambda: self.mostly(*self.learnt["tokens"]),
            "requestId": lambda: self.mostly(*self.learnt["tasks"]),
            "memoryId": lambda: self.mostly(*self.learnt["memories"]),
            "messageIds": lambda: [self.mostly(*self.learnt["messages"])],
            "query": lambda: self.mostly("secret", "passport", "密码"),
            "text": lambda: self.mostly("passport", "hello Leeds"),
            "messages": lambda: [
                {"role": "user", "content": "hi there", "messageId": self.pick(*self.learnt["messages"])}
            ],
            "metadata": lambda: {"kind": self.mostly("secret")},
            "clientToken": lambda: self.mostly("victim-token"),
            "lines": lambda: self.pick(
                "{}", json.dumps({"type": "memory", "memory": {"id": self.learnt["memories"][0]}})
            ),
            "limit": lambda: self.pick(1, 50, -1, "1"),
            "topK": lambda: self.pick(1, 50, 51),
        }

    def body(self, operation: str) -> dict[str, Any]:
        model, _ = load_routes()[operation].operations[operation]
        makers = self.makers()
        names = [field.alias for field in model.model_fields.values() if not field.alias.startswith("x-")]
        required = {field.alias for field in model.model_fields.values() if field.is_required()} | {"scope", "text"}
        chosen = [name for name in names if name in required or (name in makers and self.random.random() < 0.15)]
        return {name: makers.get(name, self.level)() for name in chosen}


def learn(service: Service) -> dict[str, list[str]]:
    """The victim's data, and the ids and tokens of it that an attacker may have come by."""
    messages = [
        {
            "role": "user",
            "speaker": NEEDLE,
            "content": f"My secret passport number {number} is {NEEDLE}",
            "messageId": f"v{number}",
        }
        for number in range(5)
    ]
    fields = {"metadata": {"kind": "secret", NEEDLE: NEEDLE}, "clientToken": "victim-token"}
    task = service.add(messages, scope=VICTIM, **fields)
    service.drain()
    whole = {"appId": "shop", "tenantId": "victim", "agentId": "*", "runId": "*"}
    tokens = []
    for name, body in (
        ("ListMemoryStoreMessages", {"scope": VICTIM}),
        ("ListMemories", {"scope": whole}),
        ("ListMemoryStoreScopes", {}),
    ):
        if name in load_routes():
            tokens.append(service.ok(name, {"memoryStoreName": "mem", "limit": 1, **body}).get("nextToken", "none"))
    found = service.search("passport", scope={"appId": "shop", "tenantId": "victim"})
    return {
        "tasks": [task["requestId"]],
        "memories": [hit["unit"]["id"] for hit in found],
        "messages": [message["messageId"] for message in messages],
        "tokens": tokens,
    }


@pytest.mark.parametrize("own_scope_only", [False, True])
def test_no_byte_of_another_tenant_is_in_any_answer(own_scope_only: bool) -> None:
    """2,000 hostile calls: with a key of one tenant and any scope, and with a free key and the own scope."""
    service = make_service()
    for name in ("mem", "other"):
        service.ok("CreateMemoryStore", {"memoryStoreName": name})
    limits = Limits() if own_scope_only else Limits(scopes=(ScopeLimit(app_id="shop", tenant_id="attacker"),))
    made = make_api_key(
        service.services.keyring, Terms(instance="default", created_ms=service.clock.now_ms, limits=limits)
    )
    attack = Attack(service, made.secret, own_scope_only)
    skipped = {"DeleteMemoryStore"} | ({"ExportMemoryStore"} if own_scope_only else set())
    if own_scope_only:  # a free key sees whole stores where no scope is asked: that is its right
        skipped |= {"ListMemoryStoreScopes", "ListMemoryStoreRequests", "ListMemoryTasks", "GetMemoryTask", "GetMemory"}
        skipped |= {"GetMemoryHistory", "UpdateMemory", "DeleteMemory", "ImportMemories", "RetryMemoryTask"}
    operations = [name for name in attack.operations if name not in skipped]
    statuses: Counter[int] = Counter()
    for _ in range(CALLS):
        operation = attack.random.choice(operations)
        body = attack.body(operation)
        status, answer = service.call(operation, json.dumps(body), x_ots_apikey=made.secret)
        statuses[status] += 1
        assert NEEDLE not in json.dumps(answer, ensure_ascii=False), (operation, body)
        assert status < 500, (operation, body, answer)
        if statuses.total() % 200 == 0:
            service.drain()
    assert statuses[200] > CALLS / 20, statuses
    assert len(service.messages(scope=VICTIM)) == 5
    assert len(service.search("passport", scope={"appId": "shop", "tenantId": "victim"})) == 5
