"""Stores that keep a vector of each token beside a memory, for a closer look at the best of a search."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from agent_memory import keys
from agent_memory.packed_vectors import unpack_tokens, without_tokens
from agent_memory.ports import Item, Key, Put
from tests.conftest import Service, make_service
from tests.stand_ins import WordEmbedder

SCOPE = {"appId": "shop", "tenantId": "t1", "agentId": "a1", "runId": "r1"}
ALL = {"appId": "shop", "tenantId": "t1"}
TEXTS = ["我对虾过敏", "我每周三晚上学游泳", "I wear size 43 shoes", "I moved to Hamburg in March 2021"]


class LetterTokens:
    """One token per character, a direction of its own for each."""

    model = "letters"
    asked = 0

    def __init__(self) -> None:
        self.texts = WordEmbedder()

    def embed_tokens(self, texts: Sequence[str], side: str) -> list[np.ndarray]:
        self.asked += side == "query"
        return [np.stack([_direction(letter) for letter in text]) for text in texts]

    def embed_both(self, texts: Sequence[str]) -> tuple[np.ndarray, list[np.ndarray]]:
        return self.texts.embed(texts, "passage"), self.embed_tokens(texts, "passage")


def _direction(letter: str) -> np.ndarray:
    return np.random.default_rng(ord(letter)).integers(-127, 128, 64).astype(np.int8)


def token_service() -> tuple[Service, LetterTokens]:
    tokens = LetterTokens()
    service = make_service(token_embedder=tokens)
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem", "tokenVectors": True})
    service.ok("CreateMemoryStore", {"memoryStoreName": "plain"})
    for store in ("mem", "plain"):
        messages = [{"role": "user", "content": each, "messageId": f"m{n}"} for n, each in enumerate(TEXTS)]
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
        kept = [unpack_tokens(blob, LetterTokens.model) for blob in blobs(service, results, store)]
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


def test_an_edit_has_its_own() -> None:
    """The record of the new text has tokens of the new text; earlier versions have none."""
    service, _ = token_service()
    memory = found(service, "shoes")[0]["unit"]
    service.ok("UpdateMemory", {"memoryStoreName": "mem", "memoryId": memory["id"], "text": "鞋码四十三"})
    changed = service.ok("GetMemory", {"memoryStoreName": "mem", "memoryId": memory["id"]})["memory"]
    (blob,) = blobs(service, [{"unit": changed}], "mem")
    kept = unpack_tokens(blob, LetterTokens.model)
    assert kept is not None
    assert len(kept) == len(changed["search_text"])
    assert len(records(service)) == len(TEXTS)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_pages_are_the_whole_ranking(size: int) -> None:
    """Page by page the same memories with the same scores as at once."""
    service, _ = token_service()
    whole = [(each["unit"]["id"], each["score"]) for each in found(service, "鞋 Hamburg 学游泳")]
    pages, token = [], None
    while True:
        body = {"memoryStoreName": "mem", "scope": ALL, "query": "鞋 Hamburg 学游泳", "topK": size}
        answer = service.ok("SearchMemories", body | ({"nextToken": token} if token else {}))
        pages += [(each["unit"]["id"], each["score"]) for each in answer["results"]]
        token = answer.get("nextToken")
        if token is None:
            break
    assert pages == whole
    assert len(whole) == len(TEXTS)


DELETIONS: dict[str, Any] = {
    "scope": ("DeleteScope", {"scope": SCOPE}),
    "tenant": ("DeleteScope", {"scope": ALL}),
    "messages": ("DeleteMessages", {"scope": SCOPE, "messageIds": [f"m{number}" for number in range(len(TEXTS))]}),
    "store": ("DeleteMemoryStore", {}),
}


@pytest.mark.parametrize("what", DELETIONS)
def test_nothing_is_left_of_what_is_deleted(what: str) -> None:
    """No record with token vectors, once the deletion is done."""
    service, _ = token_service()
    assert len(records(service)) == len(TEXTS)
    call, fields = DELETIONS[what]
    service.ok(call, {"memoryStoreName": "mem", **fields})
    while service.drain("maintenance"):
        pass
    assert records(service) == []


def test_a_deleted_memory_leaves_no_vectors() -> None:
    """One by one."""
    service, _ = token_service()
    for place, each in enumerate(found(service, "shoes"), 1):
        service.ok("DeleteMemory", {"memoryStoreName": "mem", "memoryId": each["unit"]["id"]})
        assert len(records(service)) == len(TEXTS) - place


@pytest.mark.parametrize("vectors", [True, False])
def test_an_import_makes_them(*, vectors: bool) -> None:
    """An export has none, whether it holds the vectors of texts or not; searches find the same afterwards."""
    service, _ = token_service()
    export = {"memoryStoreName": "plain", "scope": ALL, "vectors": vectors}
    lines = service.ok("ExportMemoryStore", export)["lines"]
    service.ok("CreateMemoryStore", {"memoryStoreName": "other", "tokenVectors": True})
    answer = service.ok("ImportMemories", {"memoryStoreName": "other", "lines": lines})
    assert answer["failed"] == []
    assert len(records(service)) == 2 * len(TEXTS)
    there, here = (found(service, "我对虾过敏", store) for store in ("other", "mem"))
    assert [each["score"] for each in there] == [each["score"] for each in here]


def test_a_record_without_them_is_not_punished() -> None:
    """It has the score of a store that keeps none; the others move around theirs."""
    service, _ = token_service()
    best = found(service, "我对虾过敏", "plain")[0]
    table = service.services.table
    (item,) = (each for each in records(service) if each.body["search_text"] == best["unit"]["search_text"])
    table.write([Put(replace(item, blob=without_tokens(item.blob), version=item.version + 1))])
    scores = {each["unit"]["search_text"]: each["score"] for each in found(service, "我对虾过敏")}
    assert scores[best["unit"]["search_text"]] == pytest.approx(best["score"], abs=1e-6)


def records(service: Service) -> list[Item]:
    """Those of the table that hold token vectors, of whichever store."""
    connection = sqlite3.connect(":memory:")
    with service.services.table._pool.connection() as source:
        source.backup(connection)
    rows = connection.execute("SELECT pk, sk, version FROM items WHERE length(blob) % 2 = 1").fetchall()
    return list(service.services.table.get([Key(pk, sk) for pk, sk, _ in rows]).values())
