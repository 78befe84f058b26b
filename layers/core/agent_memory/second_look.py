"""What orders the best of a search anew: a reranking model, the token vectors that the store keeps, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent_memory.memory_store import MemoryStore
from agent_memory.packed_vectors import unpack_tokens
from agent_memory.ports import Reranker, TokenEmbedder
from agent_memory.requests.memories import SearchMemoriesRequest
from agent_memory.retrieval.rerank_window import rescored
from agent_memory.retrieval.token_rank import token_scores
from agent_memory.search_results import Found

TOKENS_WINDOW = 50


@dataclass(frozen=True, slots=True)
class SecondLook:
    """`window` results are ordered together, 0 for none; `name` is what `includeScores` calls its part.

    `whole`: scores depend on all of the window, so those that were shown on an earlier page are looked at again.
    """

    window: int
    name: str
    scores: Callable[[str, Sequence[Found]], Sequence[float]]
    whole: bool = False

    def reordered(self, query: str, found: Sequence[Found]) -> list[Found]:
        """The same results by the new scores; raises RerankerFailed or EmbedderFailed."""
        if not found or not self.window:
            return list(found)
        items = {each.hit.id: each.item for each in found}
        hits = rescored([each.hit for each in found], self.scores(query, found), self.name)
        return [Found(items[hit.id], hit) for hit in hits]


def second_look(
    request: SearchMemoriesRequest, store: MemoryStore, reranker: Reranker, tokens: Callable[[], TokenEmbedder]
) -> SecondLook:
    """That of the settings goes before that of the store."""
    wanted = request.enable_rerank and not request.keyword_only
    if wanted and reranker.window:
        return SecondLook(reranker.window, "reranker", _by_model(reranker))
    if wanted and store.token_vectors:
        return SecondLook(TOKENS_WINDOW, "tokens", _by_tokens(tokens), whole=True)
    return SecondLook(0, "", lambda _query, found: [each.hit.score for each in found])


def _by_model(reranker: Reranker) -> Callable[[str, Sequence[Found]], Sequence[float]]:
    return lambda query, found: reranker.score(query, [each.unit.search_text for each in found])


def _by_tokens(tokens: Callable[[], TokenEmbedder]) -> Callable[[str, Sequence[Found]], Sequence[float]]:
    def scores(query: str, found: Sequence[Found]) -> Sequence[float]:
        embedder = tokens()
        (question,) = embedder.embed_tokens([query], "query")
        memories = [unpack_tokens(each.item.blob, embedder.model) for each in found]
        return token_scores([each.hit.score for each in found], question, memories)

    return scores
