"""SearchMemories: head of the tenant, index brought up to it, ranking, then the authoritative text of the winners.

Warm, that is two reads: store and head in one batch, winners in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agent_memory.answer_size import fitting
from agent_memory.errors import AgentMemoryError, EmbedderFailed, InvalidParameter, RerankerFailed
from agent_memory.evidence_reads import Reader, read_evidence
from agent_memory.memory_store import MemoryStore
from agent_memory.paging import seal, unseal
from agent_memory.requests.memories import SearchMemoriesRequest
from agent_memory.retrieval.filters import Selection
from agent_memory.retrieval.rerank_window import Window
from agent_memory.retrieval.scope_filter import matches, scope_fields
from agent_memory.retrieval.tenant_index import Hit, SearchQuery
from agent_memory.scopes import ANY
from agent_memory.search_results import Found, current_of, warnings_of
from agent_memory.second_look import SecondLook, second_look
from agent_memory.services import Services
from agent_memory.store_access import TenantView, read_tenant
from agent_memory.unit_selection import selection_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIVERSE_WINDOW = 50  # hits that `dedup` orders together


@dataclass(frozen=True, slots=True)
class Ranked:
    """The window that the page is cut from, what the index gave for it, and in which order that may be shown."""

    window: Window
    hits: Sequence[Hit] = ()
    order: Sequence[Found] = ()
    warned: tuple[AgentMemoryError, ...] = ()


def search_memories(request: SearchMemoriesRequest, services: Services) -> dict[str, Any]:
    """`results` best first, `evidence` where asked for, `scope`, `memoryStoreName`; no result is no error.

    `nextToken` where there may be more results than the page holds. Each page follows the ranking at its time.
    """
    selection = _selection(request, services.now_ms())
    names = (request.instance, request.memory_store_name)
    view = read_tenant(services.table, names, request.scope.levels[:2], services.uid_hints)
    _check_wildcards(view.store, request)
    binding = _binding(view.store, request)
    position = unseal(request.next_token, binding, services.paging_key) if request.next_token else {}
    look = second_look(request, view.store, services.reranker, lambda: services.token_embedder)
    window = Window.of_token(position, _window_size(request, look))
    ranked = _ranked(request, selection, (window, look), view, services)
    page = ranked.order[: request.top_k]
    results = [each.to_wire(with_scores=request.include_scores) for each in page]
    fit = fitting(results)
    answer: dict[str, Any] = {"results": results[:fit]}
    if "file" in view.store.output_types:
        answer["fileResults"] = []
    if request.include_evidence:
        reader = Reader(services.table, view, selection.now_ms, past=request.as_of is not None)
        answer["evidence"] = read_evidence(reader, ((each.unit, each.hit.score) for each in page[:fit]))
    if ranked.warned:
        answer["warnings"] = warnings_of(ranked.warned)
    following = ranked.window.following(ranked.hits, [each.hit for each in ranked.order], fit)
    if following is not None:
        answer["nextToken"] = seal(following.to_token(), binding, services.paging_key)
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
    shown_only = {"top_k", "include_evidence", "include_scores", "next_token"}
    return ("SearchMemories", store.uid, request.model_dump(mode="json", exclude=shown_only))


def _window_size(request: SearchMemoriesRequest, look: SecondLook) -> int:
    """Hits that are ordered together; where nothing is ordered anew, those of the page."""
    return max(request.top_k, look.window, DIVERSE_WINDOW if request.dedup else 0)


def _ranked(
    request: SearchMemoriesRequest,
    selection: Selection,
    ordering: tuple[Window, SecondLook],
    view: TenantView,
    services: Services,
) -> Ranked:
    window, look = ordering
    if view.head == 0 or request.top_k == 0:
        return Ranked(window)
    vector, failure = _vector(request, window, services)
    window = replace(window, by_words=failure is not None)
    query = SearchQuery(
        text=request.query,
        vector=vector,
        selection=selection,
        top_k=window.size + 1,
        min_score=0.0 if look.window else request.min_score,
        min_similarity=request.min_cosine,
        context=request.context_scope.levels[2:] if request.context_scope else None,
        after=window.after,
        rerank=request.enable_rerank,
        keyword_only=request.keyword_only,
        diverse=request.dedup is not None,
        explain=request.include_scores,
    )
    hits = services.indexes.at(view.partition, view.head, view.visible).search(query)
    found = current_of(view, window.whole(hits) if look.whole else window.rest(hits), selection, services.table)
    order, other = _rescored(request, found, look, services)
    order = [each for each in order if window.is_new(each.hit)]
    warned = {each.code: each for each in (failure, other) if each is not None}
    return Ranked(window, hits, order, tuple(warned.values()))


def _vector(
    request: SearchMemoriesRequest, window: Window, services: Services
) -> tuple[NDArray[np.float32] | None, EmbedderFailed | None]:
    """The query's vector, or None and why; a later page is ranked as the first one was, or fails."""
    if request.keyword_only:
        return None, None
    if window.by_words:
        return None, EmbedderFailed("the first page was ranked by words alone")
    try:
        return services.embedder.embed([request.query], "query")[0], None
    except EmbedderFailed as error:
        if window.goes_on:
            raise
        services.logger.warning("search by words alone", extra={"code": error.code, "error": error.message})
        return None, error


def _rescored(
    request: SearchMemoriesRequest, found: list[Found], look: SecondLook, services: Services
) -> tuple[list[Found], AgentMemoryError | None]:
    """Those that reach the least score, by the second look's order; in their own where there is none or it fails."""
    failure = None
    try:
        found = look.reordered(request.query, found)
    except (RerankerFailed, EmbedderFailed) as error:
        services.logger.warning("search without second look", extra={"code": error.code, "error": error.message})
        failure = error
    return [each for each in found if each.hit.score >= request.min_score], failure
