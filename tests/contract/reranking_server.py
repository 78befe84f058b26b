"""A loopback server that answers as Bedrock's Rerank and a server of POST /rerank do, and refuses other requests."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from tests.contract.loopback import Answer, serving

API_KEY, MODEL = "rr-loopback-secret", "cohere.rerank-v3-5:0"
ARN = f"arn:aws:bedrock:eu-central-1::foundation-model/{MODEL}"
HTTP_PATHS = ("/v2/rerank", "/compatible-api/v1/reranks")


@dataclass
class RerankingServer:
    """`calls` holds (path, body); `override` answers instead of the recorded shapes while it is set."""

    url: str
    calls: list[tuple[str, Any]] = field(default_factory=list)
    override: Callable[[], Answer] | None = None
    cut_short: bool = False

    def answer(self, path: str, headers: dict[str, str], body: Any) -> Answer:
        """What the service would say."""
        self.calls.append((path, body))
        if self.override:
            return self.override()
        return bedrock_answer(body) if path == "/rerank" else http_answer(path, headers.get("authorization", ""), body)


def reranking_server() -> AbstractContextManager[RerankingServer]:
    """A server on a free port of 127.0.0.1."""
    return serving(RerankingServer)


def score(query: str, text: str) -> float:
    """The share of the query's characters that the text has."""
    return sum(character in text for character in query) / len(query)


def ranked(query: str, texts: list[str], name: str) -> list[dict[str, Any]]:
    """Results of one call, the best first."""
    found = [{"index": index, name: score(query, text)} for index, text in enumerate(texts)]
    return sorted(found, key=lambda result: -result[name])


def bedrock_answer(body: Any) -> Answer:
    """The shape of Rerank with inline texts."""
    options = body["rerankingConfiguration"]["bedrockRerankingConfiguration"]
    query = body["queries"][0]["textQuery"]["text"]
    texts = [source["inlineDocumentSource"]["textDocument"]["text"] for source in body["sources"]]
    if options["modelConfiguration"]["modelArn"] != ARN or options["numberOfResults"] != len(texts):
        return 400, {"__type": "ValidationException", "message": "The provided model identifier is invalid."}
    if not 1 <= len(texts) <= 1000 or not all(1 <= len(text) <= 32_000 for text in (query, *texts)):
        return 400, {"__type": "ValidationException", "message": "1 validation error detected"}
    return 200, {"results": ranked(query, texts, "relevanceScore")}


def http_answer(path: str, authorization: str, body: Any) -> Answer:
    """The shape of Cohere's v2/rerank."""
    if authorization != f"Bearer {API_KEY}":
        return 401, {"message": f"invalid api token {API_KEY}"}
    texts = body["documents"]
    if path not in HTTP_PATHS or set(body) != {"model", "query", "documents", "top_n"} or body["top_n"] != len(texts):
        return 400, {"message": "invalid request"}
    if not body["query"].strip() or not all(text.strip() for text in texts):
        return 400, {"message": "invalid request: list of documents must not contain empty strings"}
    return 200, {"id": "07734bd2", "results": ranked(body["query"], texts, "relevance_score"), "meta": {}}
