"""SearchMemories: head of the tenant, index brought up to it, ranking, then the authoritative text of the winners.

Warm, that is two reads: store and head in one batch, winners in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory import keys
from agent_memory.errors import InvalidParameter
from agent_memory.models import MemoryStore, MemoryUnit
from agent_memory.ports import Key, WideTable
from agent_memory.records import message_of, store_of, unit_of
from agent_memory.requests.memories import SearchMemoriesRequest
from agent_memory.retrieval.evidence import Source, evidence, sources
from agent_memory.retrieval.scope_filter import ScopeFilter, matches, parse, scope_fields
from agent_memory.retrieval.tenant_index import Hit, SearchQuery
from agent_memory.scopes import ANY
from agent_memory.services import Services
from agent_memory.store_access import missing_store, read_store


@dataclass(frozen=True, slots=True)
class Found:
    """A hit with its unit as the table has it now."""

    unit: MemoryUnit
    hit: Hit

    def to_wire(self) -> dict[str, Any]:
        """One entry of `results`."""
        hit = self.hit
        answer: dict[str, Any] = {"unit": self.unit.to_wire(), "score": hit.score, "source": _source(hit)}
        if hit.similarity is not None:
            answer["similarity"] = hit.similarity
        if hit.ranking is not None:
            weight = hit.ranking.session_weight if hit.ranking.same_session else 0.0
            answer["rankingScore"] = hit.ranking.score
            answer["rankingSignals"] = {"sameSession": hit.ranking.same_session, "sessionAffinityWeight": weight}
        return answer


def search_memories(request: SearchMemoriesRequest, services: Services) -> dict[str, Any]:
    """`results` best first, `evidence` where asked for, `scope`, `memoryStoreName`; no result is no error."""
    scope_filter = _scope_filter(request)
    store, sequence = _store_and_head(request, services)
    _check_wildcards(store, request)
    found = _found(request, scope_filter, store, sequence, services)
    answer: dict[str, Any] = {"results": [each.to_wire() for each in found]}
    if "file" in store.output_types:
        answer["fileResults"] = []
    if request.include_evidence:
        answer["evidence"] = _evidence(store.uid, found, services.table)
    return {**answer, "scope": request.scope.to_json(), "memoryStoreName": store.name}


def _scope_filter(request: SearchMemoriesRequest) -> ScopeFilter | None:
    if request.filter is None:
        return None
    parsed = parse(request.filter)
    if request.context_scope is not None and not matches(parsed, scope_fields(request.context_scope.levels)):
        raise InvalidParameter("contextScope", "must satisfy the filter")
    return parsed


def _store_and_head(request: SearchMemoriesRequest, services: Services) -> tuple[MemoryStore, int]:
    """The store and the sequence number of the tenant's last change: one read where the store's uid is remembered."""
    name, scope, hints = request.memory_store_name, request.scope, services.uid_hints
    key = keys.store(request.instance, name)
    hint = hints.get((request.instance, name))
    if hint is None:
        hint = hints[request.instance, name] = read_store(services.table, request.instance, name).uid
    head = keys.head(keys.tenant_partition(hint, scope.app_id, scope.tenant_id))
    read = services.table.get([key, head])
    if key not in read:
        hints.pop((request.instance, name), None)
        raise missing_store(name)
    store = store_of(read[key])
    if store.uid != hint:  # deleted and made again since
        hints[request.instance, name] = store.uid
        return _store_and_head(request, services)
    return store, read[head].version if head in read else 0


def _check_wildcards(store: MemoryStore, request: SearchMemoriesRequest) -> None:
    if "file" in store.output_types and ANY in request.scope.levels:
        raise InvalidParameter("scope", "must name all four levels for a store with file output")


def _found(
    request: SearchMemoriesRequest, scope_filter: ScopeFilter | None, store: MemoryStore, head: int, services: Services
) -> list[Found]:
    if head == 0 or request.top_k == 0:
        return []
    partition = keys.tenant_partition(store.uid, request.scope.app_id, request.scope.tenant_id)
    index = services.indexes.at(partition, head)
    query = SearchQuery(
        text=request.query,
        vector=services.embedder.embed([request.query], "query")[0],
        agent=request.scope.agent_id,
        run=request.scope.run_id,
        scope_filter=scope_filter,
        metadata=request.metadata,
        top_k=request.top_k,
        min_score=request.min_score,
        min_similarity=request.min_cosine,
        context=request.context_scope.levels[2:] if request.context_scope else None,
    )
    return _current(partition, index.search(query), services.table)


def _current(partition: str, hits: Sequence[Hit], table: WideTable) -> list[Found]:
    """The hits with their records; one that was deleted or retired since the index saw it drops out."""
    wanted = [keys.unit(partition, hit.id) for hit in hits]
    read = table.get(wanted)
    found = [Found(unit_of(read[key]), hit) for key, hit in zip(wanted, hits, strict=True) if key in read]
    return [each for each in found if not each.unit.retired]


def _evidence(uid: str, found: Sequence[Found], table: WideTable) -> list[dict[str, Any]]:
    wanted = sources((each.unit, each.hit.score) for each in found)
    places = {_message_key(uid, source): source.place for source in wanted}
    messages = {places[key]: message_of(item) for key, item in table.get(places).items()}
    return evidence(wanted, messages)


def _message_key(uid: str, source: Source) -> Key:
    return keys.message(keys.run_partition(uid, source.scope), source.ref.log_key)


def _source(hit: Hit) -> str:
    """The retriever that speaks for the hit."""
    if hit.similarity is None:
        return "lexical"
    return "hybrid" if hit.lexical else "dense"
