"""Stores that keep a vector of each token beside a memory, for a closer look at the best of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agent_memory.packed_vectors import unpack_tokens
from tests.conftest import Service, make_service

SCOPE = {"appId": "shop", "tenantId": "t1", "agentId": "a1", "runId": "r1"}
ALL = {"appId": "shop", "tenantId": "t1"}
TEXTS = ["我对虾过敏", "我每周三晚上学游泳", "I wear size 43 shoes", "I moved to Hamburg in March 2021"]


class LetterTokens:
    """One token per character, a direction of its own for each."""

    model = "letters"
    asked = 0

    def embed_tokens(self, texts: Sequence[str], side: str) -> list[np.ndarray]:
        self.asked += side == "query"
        return [np.stack([_direction(letter) for letter in text]) for text in texts]


def _direction(letter: str) -> np.ndarray:
    return np.random.default_rng(ord(letter)).integers(-127, 128, 64).astype(np.int8)


def token_service() -> tuple[Service, LetterTokens]:
    tokens = LetterTokens()
    service = make_service(token_embedder=tokens)
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem", "tokenVectors": True})
    service.ok("CreateMemoryStore", {"memoryStoreName": "plain"})
    for store in ("mem", "plain"):
        messages = [{"role": "user", "content": text} for text in TEXTS]
        service.ok("AddMemories", {"memoryStoreName": store, "scope": SCOPE, "messages": messages, "sync": True})
    return service, tokens


def found(service: Service, query: str, store: str = "mem", **more: Any) -> list[dict[str, Any]]:
    body = {"memoryStoreName": store, "scope": ALL, "query": query, "topK": 4, **more}
    results: list[dict[str, Any]] = service.ok("SearchMemories", body)["results"]
    return results


def blobs(service: Service, results: list[dict[str, Any]], store: str) -> list[bytes]:
    memories = [service.ok("GetMemory", {"memoryStoreName": store, "memoryId": each["unit"]["id"]}) for each in results]
    assert len(memories) == len(results)
    table = service.services.table
    uid = service.ok("GetMemoryStore", {"memoryStoreName": store})["storeUid"]
    from agent_memory import keys

    partition = keys.tenant_partition(uid, "shop", "t1")
    wanted = [keys.unit(partition, each["unit"]["id"]) for each in results]
    return [item.blob for item in table.get(wanted).values()]


def test_the_store_says_so_and_keeps_them() -> None:
    """Each record of such a store has as many token vectors as its text tokens; others have none."""
    service, _ = token_service()
    assert service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["tokenVectors"] is True
    assert "tokenVectors" not in service.ok("GetMemoryStore", {"memoryStoreName": "plain"})
    for store, has in (("mem", True), ("plain", False)):
        results = found(service, "shoes 过敏", store)
        kept = [unpack_tokens(blob) for blob in blobs(service, results, store)]
        assert [each is not None for each in kept] == [has] * len(results)


def test_the_order_follows_and_explains_itself() -> None:
    """Scores lie in 0 to 1 in falling order, the part has its name, and other stores are not asked."""
    service, tokens = token_service()
    results = found(service, "我对虾过敏", includeScores=True)
    scores = [each["score"] for each in results]
    assert results[0]["unit"]["search_text"].endswith("我对虾过敏")
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert all(each["scores"]["tokens"] == each["score"] for each in results)
    asked = tokens.asked
    found(service, "我对虾过敏", "plain")
    found(service, "我对虾过敏", enableRerank=False)
    found(service, "我对虾过敏", keywordOnly=True)
    assert tokens.asked == asked


def test_an_edit_has_its_own_and_pages_neither_repeat_nor_skip() -> None:
    """The record of the new text has tokens of the new text; every memory comes once over the pages."""
    service, _ = token_service()
    memory = found(service, "shoes")[0]["unit"]
    service.ok("UpdateMemory", {"memoryStoreName": "mem", "memoryId": memory["id"], "text": "鞋码四十三"})
    pages, token = [], None
    while True:
        body = {"memoryStoreName": "mem", "scope": ALL, "query": "鞋 Hamburg", "topK": 1}
        answer = service.ok("SearchMemories", body | ({"nextToken": token} if token else {}))
        pages += [each["unit"]["id"] for each in answer["results"]]
        token = answer.get("nextToken")
        if token is None:
            break
    assert len(pages) == len(set(pages)) == len(TEXTS)
    changed = service.ok("GetMemory", {"memoryStoreName": "mem", "memoryId": memory["id"]})["memory"]
    (blob,) = blobs(service, [{"unit": changed}], "mem")
    kept = unpack_tokens(blob)
    assert kept is not None
    assert len(kept) == len(changed["search_text"])
