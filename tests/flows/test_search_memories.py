"""SearchMemories: scopes, filters, thresholds, evidence, and what a reader sees while others write."""

from __future__ import annotations

from typing import Any

import pytest

from agent_memory.retrieval.index_cache import IndexCache
from tests.conftest import SCOPE, Service

PLACES = [("a1", "r1", "blue"), ("a1", "r2", "green"), ("a2", "r1", "red"), ("a2", "会话", "yellow")]


@pytest.fixture
def bikes(service: Service) -> Service:
    """Four conversations of one tenant and one of another, all about bikes."""
    for agent, run, colour in PLACES:
        where = {**SCOPE, "agentId": agent, "runId": run}
        service.add(f"My bike is {colour}.", scope=where, metadata={"colour": colour, "kind": "bike"})
    service.add("My bike is secret.", scope={**SCOPE, "tenantId": "t2"})
    service.drain()
    return service


def colours(results: list[dict[str, Any]]) -> set[str]:
    return {hit["unit"]["text"].removesuffix(".").rpartition(" ")[2] for hit in results}


@pytest.mark.parametrize(
    ("levels", "found"),
    [
        ({}, {"blue", "green", "red", "yellow"}),
        ({"agentId": "*", "runId": "*"}, {"blue", "green", "red", "yellow"}),
        ({"agentId": "", "runId": ""}, {"blue", "green", "red", "yellow"}),
        ({"agentId": "a1"}, {"blue", "green"}),
        ({"agentId": "a1", "runId": "*"}, {"blue", "green"}),
        ({"agentId": "a2", "runId": "会话"}, {"yellow"}),
        ({"agentId": "a3"}, set()),
        ({"tenantId": "nobody"}, set()),
    ],
)
def test_empty_omitted_and_starred_levels_mean_any(bikes: Service, levels: dict[str, str], found: set[str]) -> None:
    """agentId and runId widen to the right; a tenant sees its own memories only."""
    assert colours(bikes.search("bike", scope={"appId": "shop", "tenantId": "t1", **levels})) == found


@pytest.mark.parametrize(
    ("scope", "text"),
    [
        ({"tenantId": "t1"}, "scope.appId is required"),
        ({"appId": "shop"}, "scope.tenantId is required"),
        ({"appId": "*", "tenantId": "t1"}, "scope.appId must not be '*' here"),
        ({"appId": "shop", "tenantId": "*"}, "scope.tenantId must not be '*' here"),
        ({"appId": "shop", "tenantId": "t1", "agentId": "*", "runId": "r1"}, "scope.runId must be '*'"),
        ({"appId": "shop", "tenantId": "t1", "runId": "r1"}, "scope.runId must be '*'"),
    ],
)
def test_scopes_that_a_search_must_not_have(bikes: Service, scope: dict[str, str], text: str) -> None:
    """The error names the level."""
    status, message = bikes.refused("SearchMemories", {"memoryStoreName": "mem", "scope": scope, "query": "bike"})
    assert status == 400
    assert message.startswith(text)


def test_metadata_must_be_equal_key_by_key(bikes: Service) -> None:
    """All keys are required, values match whole."""
    assert colours(bikes.search("bike", metadata={"colour": "red"})) == {"red"}
    assert colours(bikes.search("bike", metadata={"colour": "red", "kind": "bike"})) == {"red"}
    assert bikes.search("bike", metadata={"colour": "re"}) == []
    assert bikes.search("bike", metadata={"colour": "red", "kind": "car"}) == []


def test_the_scope_filter_is_anded_with_the_scope(bikes: Service) -> None:
    """`filter` narrows within the scope."""
    node = {
        "op": "or",
        "conditions": [
            {"op": "eq", "field": "runId", "value": "r2"},
            {"op": "prefix", "field": "agentId", "value": "a2"},
        ],
    }
    assert colours(bikes.search("bike", filter=node)) == {"green", "red", "yellow"}
    assert colours(bikes.search("bike", filter=node, scope={"appId": "shop", "tenantId": "t1", "agentId": "a1"})) == {
        "green"
    }


def test_top_k_bounds_the_results(bikes: Service) -> None:
    """0 to 50; 10 by default."""
    assert [len(bikes.search("bike", topK=top_k)) for top_k in (0, 1, 3, 50)] == [0, 1, 3, 4]
    body = {"memoryStoreName": "mem", "scope": {"appId": "shop", "tenantId": "t1"}, "query": "bike", "topK": 51}
    assert bikes.refused("SearchMemories", body)[1].startswith("topK ")


def test_scores_fall_and_thresholds_hold(bikes: Service) -> None:
    """Results are sorted by score in 0 to 1; minScore bounds score, minSimilarity in thresholds bounds similarity."""
    hits = bikes.search("green bike")
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= hit["score"] <= 1 and 0 <= hit["similarity"] <= 1 for hit in hits)
    bound = scores[0]
    assert len(bikes.search("green bike", thresholds={"minScore": bound})) == 1
    assert len(bikes.search("green bike", minSimilarity=bound)) == 1
    nearest = max(hit["similarity"] for hit in hits)
    assert len(bikes.search("green bike", thresholds={"minSimilarity": nearest})) == 1
    assert bikes.search("green bike", thresholds={"minSimilarity": nearest, "minScore": 1.0}) == []


def test_evidence_is_the_messages_behind_the_hits(bikes: Service) -> None:
    """Top-level `evidence`, shaped like a hit; absent unless asked for."""
    body = {"memoryStoreName": "mem", "scope": {"appId": "shop", "tenantId": "t1"}, "query": "yellow bike", "topK": 1}
    assert "evidence" not in bikes.ok("SearchMemories", body)
    answer = bikes.ok("SearchMemories", {**body, "includeEvidence": True})
    (entry,) = answer["evidence"]
    (ref,) = answer["results"][0]["unit"]["source_turn_refs"]
    assert (entry["unit"]["id"], entry["unit"]["text"]) == (ref["messageId"], "My bike is yellow.")
    assert entry["unit"]["scope"] == {"appId": "shop", "tenantId": "t1", "agentId": "a2", "runId": "会话"}


def test_the_same_session_is_lifted_a_little(bikes: Service) -> None:
    """contextScope adds rankingScore and rankingSignals, which are absent without it."""
    context = {**SCOPE, "agentId": "a2", "runId": "r1"}
    assert "rankingSignals" not in bikes.search("bike")[0]
    hits = bikes.search("bike", contextScope=context)
    assert colours(hits[:1]) == {"red"}
    assert [hit["rankingSignals"]["sameSession"] for hit in hits] == [True, False, False, False]
    assert hits[0]["rankingSignals"]["sessionAffinityWeight"] > 0
    assert [hit["rankingScore"] for hit in hits] == sorted((hit["rankingScore"] for hit in hits), reverse=True)


@pytest.mark.parametrize(
    ("context", "problem"),
    [
        ({"appId": "shop", "tenantId": "t2", "agentId": "a", "runId": "r"}, "contextScope must lie inside scope"),
        ({"appId": "shop", "tenantId": "t1", "agentId": "a"}, "contextScope.runId is required"),
        ({"appId": "shop", "tenantId": "t1", "agentId": "*", "runId": "*"}, "contextScope.agentId must not be '*'"),
    ],
)
def test_a_context_is_exact_and_inside_the_scope(bikes: Service, context: dict[str, str], problem: str) -> None:
    """Otherwise 400 with the field."""
    body = {"memoryStoreName": "mem", "scope": {"appId": "shop", "tenantId": "t1"}, "query": "bike"}
    status, message = bikes.refused("SearchMemories", {**body, "contextScope": context})
    assert (status, message.startswith(problem)) == (400, True), message


def test_an_exact_identifier_is_found_first(service: Service) -> None:
    """An order number decides, in any width."""
    for number in range(2_085, 2_099):
        service.add(f"订单号 AB-{number},收货地址在杭州")
    service.drain()
    for query in ("AB-2093", "ab-2093", "ＡＢ－２０９３", "订单号 AB-2093 到哪了"):
        assert "AB-2093" in service.search(query)[0]["unit"]["text"], query


def test_one_memory_is_one_result(service: Service) -> None:
    """However many arms find it."""
    service.add("My printer is a model X200.")
    service.drain()
    assert len(service.search("printer model X200")) == 1


def test_every_process_finds_what_is_completed(bikes: Service) -> None:
    """A second process with a warm index of its own sees what the first one's worker wrote, and what was merged."""
    first = bikes.services.indexes
    other = IndexCache(bikes.services.table, bikes.services.embedder, max_bytes=1 << 30)
    bikes.services.__dict__["indexes"] = other
    assert len(bikes.search("bike")) == 4
    bikes.services.__dict__["indexes"] = first
    bikes.add("The bike over there is purple.", sync=True)
    assert len(bikes.search("bike")) == 5
    bikes.services.__dict__["indexes"] = other
    assert colours(bikes.search("purple bike", topK=1)) == {"purple"}


def test_a_small_cache_forgets_tenants_and_finds_them_again(bikes: Service) -> None:
    """The index is dropped by size and loaded again from the table."""
    bikes.services.__dict__["indexes"] = IndexCache(bikes.services.table, bikes.services.embedder, max_bytes=1)
    for _ in range(2):
        assert len(bikes.search("bike")) == 4
        assert len(bikes.search("bike", scope={"appId": "shop", "tenantId": "t2"})) == 1


def test_vectors_of_another_model_are_passed_over(bikes: Service) -> None:
    """After a change of model the old units are found by their words, without a similarity and without an error."""
    embedder = bikes.services.embedder
    embedder.model, embedder.dim = "words-2", 64
    bikes.services.__dict__["indexes"] = IndexCache(bikes.services.table, embedder, max_bytes=1 << 30)
    hits = bikes.search("yellow bike")
    assert colours(hits[:1]) == {"yellow"}
    assert ["similarity" in hit for hit in hits] == [False] * 4
    assert hits[0]["source"] == "lexical"


def test_stores_with_file_output_are_searched_scope_by_scope(service: Service) -> None:
    """No wildcards there; fileResults is present and empty."""
    service.ok("CreateMemoryStore", {"memoryStoreName": "both", "storageMode": "file+ots"})
    service.add("My bike is blue.", store="both")
    service.drain()
    body = {"memoryStoreName": "both", "query": "bike"}
    assert service.refused("SearchMemories", {**body, "scope": {"appId": "shop", "tenantId": "t1"}})[0] == 400
    answer = service.ok("SearchMemories", {**body, "scope": SCOPE})
    assert (len(answer["results"]), answer["fileResults"]) == (1, [])


def test_a_store_made_again_under_its_name_is_empty_for_a_warm_process(bikes: Service) -> None:
    """A remembered uid is only a guess."""
    assert len(bikes.search("bike")) == 4
    bikes.ok("DeleteMemoryStore", {"memoryStoreName": "mem"})
    bikes.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    assert bikes.search("bike") == []


def test_instances_are_name_spaces(bikes: Service) -> None:
    """The same store name in another instance is another store."""
    headers = {"x_ots_instancename": "other"}
    body = {"memoryStoreName": "mem"}
    assert bikes.call("GetMemoryStore", body, **headers)[0] == 404
    bikes.ok("CreateMemoryStore", body, **headers)
    search = {**body, "scope": {"appId": "shop", "tenantId": "t1"}, "query": "bike"}
    assert bikes.ok("SearchMemories", search, **headers)["results"] == []
