"""SearchMemories: head of the tenant, index brought up to it, ranking, then the authoritative text of the winners.

Warm, that is two reads: store and head in one batch, winners in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

from agent_memory import keys
from agent_memory.answer_size import fitting
from agent_memory.errors import InvalidParameter
from agent_memory.memory_store import MemoryStore
from agent_memory.models import MemoryUnit
from agent_memory.paging import seal, unseal
from agent_memory.ports import Key, WideTable
from agent_memory.records import message_of, shown, unit_of
from agent_memory.requests.memories import SearchMemoriesRequest
from agent_memory.retrieval.evidence import Source, evidence, sources
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.keyset import Place
from agent_memory.retrieval.scope_filter import matches, scope_fields
from agent_memory.retrieval.tenant_index import Hit, SearchQuery
from agent_memory.scopes import ANY
from agent_memory.services import Services
from agent_memory.store_access import TenantView, read_tenant
from agent_memory.unit_selection import selection_of


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
    """`results` best first, `evidence` where asked for, `scope`, `memoryStoreName`; no result is no error.

    `nextToken` where there are more results than the page holds. Each page follows the ranking at its time.
    """
    selection = _selection(request, services.now_ms())
    names = (request.instance, request.memory_store_name)
    view = read_tenant(services.table, names, request.scope.levels[:2], services.uid_hints)
    _check_wildcards(view.store, request)
    binding = _binding(view.store, request)
    after = unseal(request.next_token, binding, services.paging_key)["after"] if request.next_token else None
    hits = _hits(request, selection, Place(*after) if after else None, view, services)
    found = _current(view, hits[: request.top_k], services.table)
    results = [each.to_wire() for each in found]
    fit = fitting(results)
    answer: dict[str, Any] = {"results": results[:fit]}
    if "file" in view.store.output_types:
        answer["fileResults"] = []
    if request.include_evidence:
        answer["evidence"] = _evidence(view.store.uid, found[:fit], services)
    if fit < len(results) or len(hits) > request.top_k:
        last = found[fit - 1].hit if fit < len(results) else hits[request.top_k - 1]
        answer["nextToken"] = seal({"after": astuple(last.place)}, binding, services.paging_key)
    return {**answer, "scope": request.scope.to_json(), "memoryStoreName": view.store.name}


def _selection(request: SearchMemoriesRequest, now_ms: int) -> Selection:
    selection = selection_of(request, request.scope, now_ms)
    context, wanted = request.context_scope, selection.scope_filter
    if context is not None and wanted is not None and not matches(wanted, scope_fields(context.levels)):
        raise InvalidParameter("contextScope", "must satisfy the filter")
    return selection


def _check_wildcards(store: MemoryStore, request: SearchMemoriesRequest) -> None:
    if "file" in store.output_types and ANY in request.scope.levels:
        raise InvalidParameter("scope", "must name all four levels for a store with file output")


def _binding(store: MemoryStore, request: SearchMemoriesRequest) -> tuple[Any, ...]:
    """All that decides which results there are and in which order."""
    bound = request.model_dump(mode="json", exclude={"top_k", "include_evidence", "next_token"})
    return ("SearchMemories", store.uid, bound)


def _hits(
    request: SearchMemoriesRequest, selection: Selection, after: Place | None, view: TenantView, services: Services
) -> list[Hit]:
    """Those of the page, and one more where there is one."""
    if view.head == 0 or request.top_k == 0:
        return []
    index = services.indexes.at(view.partition, view.head, view.visible)
    query = SearchQuery(
        text=request.query,
        vector=services.embedder.embed([request.query], "query")[0],
        selection=selection,
        top_k=request.top_k + 1,
        min_score=request.min_score,
        min_similarity=request.min_cosine,
        context=request.context_scope.levels[2:] if request.context_scope else None,
        after=after,
    )
    return index.search(query)


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
