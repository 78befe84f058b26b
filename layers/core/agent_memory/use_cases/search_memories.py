"""SearchMemories: head of the tenant, index brought up to it, ranking, then the authoritative text of the winners.

Warm, that is two reads: store and head in one batch, winners in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent_memory import keys
from agent_memory.errors import InvalidParameter
from agent_memory.memory_store import MemoryStore
from agent_memory.models import MemoryUnit
from agent_memory.ports import Key, WideTable
from agent_memory.records import message_of, unit_of
from agent_memory.requests.memories import SearchMemoriesRequest
from agent_memory.retrieval.evidence import Source, evidence, sources
from agent_memory.retrieval.index_cache import shown
from agent_memory.retrieval.scope_filter import ScopeFilter, matches, parse, scope_fields
from agent_memory.retrieval.tenant_index import Hit, SearchQuery
from agent_memory.scopes import ANY
from agent_memory.services import Services
from agent_memory.store_access import TenantView, read_tenant


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
    names = (request.instance, request.memory_store_name)
    view = read_tenant(services.table, names, request.scope.levels[:2], services.uid_hints)
    _check_wildcards(view.store, request)
    found = _found(request, scope_filter, view, services)
    answer: dict[str, Any] = {"results": [each.to_wire() for each in found]}
    if "file" in view.store.output_types:
        answer["fileResults"] = []
    if request.include_evidence:
        answer["evidence"] = _evidence(view.store.uid, found, services)
    return {**answer, "scope": request.scope.to_json(), "memoryStoreName": view.store.name}


def _scope_filter(request: SearchMemoriesRequest) -> ScopeFilter | None:
    if request.filter is None:
        return None
    parsed = parse(request.filter)
    if request.context_scope is not None and not matches(parsed, scope_fields(request.context_scope.levels)):
        raise InvalidParameter("contextScope", "must satisfy the filter")
    return parsed


def _check_wildcards(store: MemoryStore, request: SearchMemoriesRequest) -> None:
    if "file" in store.output_types and ANY in request.scope.levels:
        raise InvalidParameter("scope", "must name all four levels for a store with file output")


def _found(
    request: SearchMemoriesRequest, scope_filter: ScopeFilter | None, view: TenantView, services: Services
) -> list[Found]:
    if view.head == 0 or request.top_k == 0:
        return []
    index = services.indexes.at(view.partition, view.head, view.visible)
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
        now_ms=services.now_ms(),
    )
    return _current(view, index.search(query), services.table)


def _current(view: TenantView, hits: Sequence[Hit], table: WideTable) -> list[Found]:
    """The hits with their records; one that was deleted or retired since the index saw it drops out."""
    wanted = [keys.unit(view.partition, hit.id) for hit in hits]
    read = table.get(wanted)
    live = [(read[key], hit) for key, hit in zip(wanted, hits, strict=True) if key in read]
    found = [Found(unit_of(item), hit) for item, hit in live if shown(item, view.visible)]
    return [each for each in found if not each.unit.retired]


def _evidence(uid: str, found: Sequence[Found], services: Services) -> list[dict[str, Any]]:
    now = services.now_ms()
    wanted = sources((each.unit, each.hit.score) for each in found)
    places = {_message_key(uid, source): source.place for source in wanted}
    read = {places[key]: message_of(item) for key, item in services.table.get(places).items()}
    return evidence(wanted, {place: message for place, message in read.items() if not message.expired(now)})


def _message_key(uid: str, source: Source) -> Key:
    return keys.message(keys.run_partition(uid, source.scope), source.ref.log_key)


def _source(hit: Hit) -> str:
    """The retriever that speaks for the hit."""
    if hit.similarity is None:
        return "lexical"
    return "hybrid" if hit.lexical else "dense"
