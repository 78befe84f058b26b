"""Filters of SearchMemories and ListMemories: metadata, time, scope; and the pages of a search."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_memory.retrieval.index_cache import IndexCache
from tests.conftest import SCOPE, Service

NOTES = {
    "one": {"year": "2024", "n": "2", "颜色": "红"},
    "two": {"year": "2025", "n": "10", "颜色": "蓝", "at": "2026-01-01T00:00:00+08:00"},
    "three": {"year": "next", "n": "-1.5", "at": "2026-01-01T00:00:00Z"},
    "four": {},
}
TENANT = {"appId": "shop", "tenantId": "t1", "agentId": "*", "runId": "*"}


@pytest.fixture
def notes(service: Service) -> Service:
    """Four memories with metadata, and one of another tenant that matches everything."""
    for day, (text, metadata) in enumerate(NOTES.items(), 1):
        message = {"role": "user", "content": f"note {text}", "timestamp": f"2026-03-0{day}T00:00:00.500Z"}
        service.add([message], metadata=metadata, infer=False, sync=True)
    secret = {"year": "2025", "n": "10", "颜色": "蓝", "at": "2026-01-01T00:00:00Z"}
    service.add("note SECRET", scope={**SCOPE, "tenantId": "t2"}, metadata=secret, infer=False, sync=True)
    return service


def found(service: Service, **fields: Any) -> set[str]:
    """What the search and the listing find, which must be the same."""
    by_search = {hit["unit"]["text"] for hit in service.search("note", **fields)}
    listing = service.ok("ListMemories", {"memoryStoreName": "mem", "scope": TENANT, **fields})
    assert by_search == {memory["text"] for memory in listing["memories"]}
    return {text.removeprefix("note ") for text in by_search}


def leaf(op: str, field: str, **rest: Any) -> dict[str, Any]:
    return {"op": op, "field": field, **rest}


@pytest.mark.parametrize(
    ("node", "texts"),
    [
        (leaf("eq", "颜色", value="红"), {"one"}),
        (leaf("ne", "颜色", value="红"), {"two"}),
        (leaf("NE", "absent", value="x"), set()),
        ({"op": "not", "condition": leaf("eq", "颜色", value="红")}, {"two", "three", "four"}),
        (leaf("exists", "at"), {"two", "three"}),
        ({"op": "not", "condition": leaf("exists", "year")}, {"four"}),
        (leaf("prefix", "year", value="202"), {"one", "two"}),
        (leaf("wildcard", "year", value="*2?"), {"one", "two"}),
        (leaf("in", "n", values=["2", "10", "11"]), {"one", "two"}),
        (leaf("range", "n", gt="2"), {"two"}),
        (leaf("range", "n", gte="2.0"), {"one", "two"}),
        (leaf("range", "n", lt="0"), {"three"}),
        (leaf("range", "n", gt="-2", lte="1e1"), {"one", "two", "three"}),
        (leaf("range", "year", gte="2025"), {"two", "three"}),
        (leaf("range", "at", lt="2026-01-01T00:00:00Z"), {"two"}),
        (leaf("range", "at", gte="2025-12-31T16:00:00Z"), {"two", "three"}),
        ({"op": "or", "conditions": [leaf("eq", "n", value="2"), leaf("eq", "n", value="-1.5")]}, {"one", "three"}),
        ({"op": "and", "conditions": [leaf("exists", "n"), leaf("exists", "颜色")]}, {"one", "two"}),
        (leaf("eq", "颜色", value="红\x00"), {"one"}),
        (leaf("eq", "appId", value="shop"), set()),
        (leaf("eq", "' OR 1=1 --", value="*"), set()),
        (None, {"one", "two", "three", "four"}),
    ],
)
def test_metadata_filters_search_and_list_alike(notes: Service, node: Any, texts: set[str]) -> None:
    """Each operator over the keys of metadata; a key that is absent fulfils nothing but `not`."""
    assert found(notes, metadataFilter=node) == texts


@pytest.mark.parametrize(
    ("node", "place"),
    [
        (leaf("near", "year", value="2024"), "metadataFilter.op must be one of "),
        ({"year": {"$near": "2024"}}, "metadataFilter.op is required"),
        ({}, "metadataFilter.op is required"),
        ({"op": ["eq"], "field": "year", "value": "2024"}, "metadataFilter.op must be a string"),
        ({"op": "and", "conditions": [leaf("$gte", "year", value="2024")]}, "metadataFilter.conditions[0].op must be"),
        (leaf("range", "year", gte=2024), "metadataFilter.gte must be a string"),
        (leaf("eq", "year", value=None), "metadataFilter.value must be a string"),
        (leaf("eq", "", value="x"), "metadataFilter.field must be a metadata key"),
        (leaf("eq", "\x00", value="x"), "metadataFilter.field must be a metadata key"),
        (leaf("eq", "k" * 65, value="x"), "metadataFilter.field must be a metadata key"),
        (leaf("in", "year", values=[]), "metadataFilter.values must be"),
        (leaf("range", "year"), "metadataFilter needs at least one of"),
        (leaf("eq", "year", value="2024", boost=2), "metadataFilter.boost is not a known field"),
        ([], "metadataFilter must be an object"),
        ("year", "metadataFilter must be an object"),
    ],
)
def test_filters_that_are_refused_and_where(notes: Service, node: Any, place: str) -> None:
    """An unknown operator or a wrong type is 400 naming it, never ignored."""
    bodies = {
        "SearchMemories": {"scope": TENANT, "query": "note"},
        "ListMemories": {"scope": TENANT},
    }
    for operation, body in bodies.items():
        status, text = notes.refused(operation, {"memoryStoreName": "mem", **body, "metadataFilter": node})
        assert (status, text.startswith(place)) == (400, True), text


def test_an_operator_that_finds_nothing_is_no_error(service: Service) -> None:
    """A number that no memory reaches: 200 and no result."""
    service.add("Budget note", metadata={"year": "2024"}, infer=False, sync=True)
    assert service.search("budget", scope=SCOPE, metadataFilter=leaf("range", "year", gte="2025")) == []
    assert len(service.search("budget", scope=SCOPE, metadataFilter=leaf("range", "year", lt="2025"))) == 1


def test_all_filters_are_anded(notes: Service) -> None:
    """Scope filter, equal metadata, metadata filter and time."""
    fields: dict[str, Any] = {
        "metadataFilter": leaf("range", "n", gte="2"),
        "filter": leaf("eq", "runId", value="r1"),
    }
    assert found(notes, **fields) == {"one", "two"}
    assert found(notes, **fields, metadata={"颜色": "蓝"}) == {"two"}
    assert found(notes, **fields, maxTimestamp="2026-03-01T12:00:00Z") == {"one"}
    assert found(notes, **{**fields, "filter": leaf("eq", "runId", value="r2")}) == set()
    assert found(notes, metadata={"颜色": "蓝", "n": "1"}) == set()


@pytest.mark.parametrize(
    ("bounds", "texts"),
    [
        ({"minTimestamp": "2026-03-02T00:00:00.500Z"}, {"two", "three", "four"}),
        ({"minTimestamp": "2026-03-02T00:00:00.501Z"}, {"three", "four"}),
        ({"maxTimestamp": "2026-03-02T00:00:00.500Z"}, {"one", "two"}),
        ({"maxTimestamp": "2026-03-02T08:00:00.499+08:00"}, {"one"}),
        ({"minTimestamp": 1772409600500, "maxTimestamp": "1772409600500"}, {"two"}),
        ({"minTimestamp": 0}, {"one", "two", "three", "four"}),
        ({"maxTimestamp": 0}, set()),
        ({"minTimestamp": None, "maxTimestamp": None}, {"one", "two", "three", "four"}),
    ],
)
def test_time_bounds_are_hard_and_inclusive(notes: Service, bounds: dict[str, Any], texts: set[str]) -> None:
    """Over `created_at`, RFC 3339 or Unix milliseconds."""
    assert found(notes, **bounds) == texts


@pytest.mark.parametrize(
    ("bounds", "problem"),
    [
        ({"minTimestamp": 2, "maxTimestamp": 1}, "minTimestamp must not be after maxTimestamp"),
        ({"minTimestamp": -1}, "minTimestamp must not be negative"),
        ({"maxTimestamp": "tomorrow"}, "maxTimestamp must be an RFC 3339 time"),
        ({"maxTimestamp": 1.5}, "maxTimestamp must be an RFC 3339 time or Unix milliseconds"),
    ],
)
def test_time_bounds_that_are_refused(notes: Service, bounds: dict[str, Any], problem: str) -> None:
    """In both operations."""
    for body in ({"scope": TENANT, "query": "note"}, {"scope": TENANT}):
        operation = "SearchMemories" if "query" in body else "ListMemories"
        status, text = notes.refused(operation, {"memoryStoreName": "mem", **body, **bounds})
        assert (status, text.startswith(problem)) == (400, True), text


def test_filters_follow_an_update(notes: Service) -> None:
    """In every process, at once."""
    services = notes.services
    first, other = services.indexes, IndexCache(services.table, services.embedder, max_bytes=1 << 30)
    node = leaf("eq", "颜色", value="绿")
    for indexes in (other, first):
        services.__dict__["indexes"] = indexes
        assert found(notes, metadataFilter=node) == set()
    (unit,) = (hit["unit"] for hit in notes.search("note", metadata={"颜色": "红"}))
    notes.ok("UpdateMemory", {"memoryStoreName": "mem", "memoryId": unit["id"], "metadata": {"颜色": "绿", "n": None}})
    for indexes in (other, first):
        services.__dict__["indexes"] = indexes
        assert found(notes, metadataFilter=node) == {"one"}
        assert found(notes, metadataFilter=leaf("exists", "n")) == {"two", "three"}


def asked(query: str = "note", **fields: Any) -> dict[str, Any]:
    return {"memoryStoreName": "mem", "scope": TENANT, "query": query, **fields}


def walk(service: Service, body: dict[str, Any]) -> list[dict[str, Any]]:
    """All results, page by page."""
    hits: list[dict[str, Any]] = []
    token: dict[str, str] = {}
    while True:
        answer = service.ok("SearchMemories", {**body, **token})
        assert len(answer["results"]) <= body["topK"]
        hits += answer["results"]
        if "nextToken" not in answer:
            return hits
        token = {"nextToken": answer["nextToken"]}


@pytest.mark.parametrize("context", [None, {**SCOPE, "runId": "r2"}])
def test_pages_of_a_search_are_the_whole(service: Service, context: Any) -> None:
    """Each result once, in the order of one large page, whatever the size."""
    for number in range(11):
        where = {**SCOPE, "runId": f"r{number % 3}"}
        service.add(f"note {number} 关于 {'茶' * (number % 4)}", scope=where, infer=False)
    service.drain()
    whole = service.search("note 茶", contextScope=context, topK=50)
    assert len(whole) == 11
    for size in (1, 2, 4, 11):
        assert walk(service, asked("note 茶", contextScope=context, topK=size)) == whole


def test_a_search_that_fits_has_no_token(notes: Service) -> None:
    """Nor has one that asks for no result."""
    assert "nextToken" not in notes.ok("SearchMemories", asked(topK=4))
    assert "nextToken" in notes.ok("SearchMemories", asked(topK=3))
    assert "nextToken" not in notes.ok("SearchMemories", asked(topK=0))
    assert "nextToken" not in notes.ok("SearchMemories", asked("zebra", topK=1, thresholds={"minScore": 1}))


def test_a_token_belongs_to_its_search(notes: Service) -> None:
    """Store, scope, query and every filter; the size of the page and the evidence are free."""
    filters = {"metadataFilter": leaf("exists", "n"), "minTimestamp": 0, "enableRerank": True}
    token = notes.ok("SearchMemories", asked(topK=1, **filters))["nextToken"]
    good = asked(topK=5, includeEvidence=True, **filters, nextToken=token)
    assert len(notes.ok("SearchMemories", good)["results"]) == 2
    listing = {"memoryStoreName": "mem", "scope": TENANT}
    assert notes.refused("ListMemories", {**listing, **filters, "enableRerank": None, "nextToken": token})[0] == 400
    notes.ok("CreateMemoryStore", {"memoryStoreName": "other"})
    for changed in (
        {"memoryStoreName": "other"},
        {"query": "notes"},
        {"scope": {**TENANT, "tenantId": "t2"}},
        {"scope": {**TENANT, "agentId": "a1"}},
        {"metadataFilter": leaf("exists", "year")},
        {"metadataFilter": None},
        {"metadata": {"n": "2"}},
        {"filter": leaf("exists", "appId")},
        {"minTimestamp": 1},
        {"maxTimestamp": 9_999_999_999_999},
        {"thresholds": {"minScore": 0.1}},
        {"minSimilarity": 0.1},
        {"contextScope": SCOPE},
        {"enableRerank": False},
        {"nextToken": "x"},
    ):
        status, text = notes.refused("SearchMemories", {**good, **changed})
        assert (status, text.startswith("nextToken ")) == (400, True), changed


def test_a_token_goes_on_after_its_hit_was_deleted(notes: Service) -> None:
    """The place stays where it was."""
    whole = [hit["unit"]["id"] for hit in notes.search("note")]
    token = notes.ok("SearchMemories", asked(topK=2))["nextToken"]
    notes.ok("DeleteMemory", {"memoryStoreName": "mem", "memoryId": whole[1]})
    rest = notes.ok("SearchMemories", asked(topK=5, nextToken=token))["results"]
    assert not {hit["unit"]["id"] for hit in rest} & set(whole[:2])


HOSTILE = st.sampled_from(["*", "%2F", "'", "\x00", "年", "ｎ", "n", "year", "t2", "SECRET", "../", "\u202e"])
LEAVES = st.builds(leaf, st.sampled_from(["eq", "ne", "prefix", "wildcard"]), HOSTILE, value=HOSTILE) | st.builds(
    leaf, st.just("exists"), HOSTILE
)
NODES = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(lambda parts, op: {"op": op, "conditions": parts}, st.lists(inner, max_size=3), st.just("or"))
        | st.builds(lambda part: {"op": "not", "condition": part}, inner)
    ),
    max_leaves=6,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NODES, st.sampled_from(["filter", "metadataFilter"]))
def test_no_filter_reaches_another_tenant(notes: Service, node: Any, name: str) -> None:
    """Whatever it says: an answer of this tenant or 400, and never a word of the other."""
    for operation, body in (("SearchMemories", asked()), ("ListMemories", {"memoryStoreName": "mem", "scope": TENANT})):
        status, answer = notes.call(operation, {**body, name: node})
        assert status in (200, 400)
        assert "note SECRET" not in json.dumps(answer)
