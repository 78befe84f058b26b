"""Which `Reranker` the settings mean."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from agent_memory.settings import Settings

if TYPE_CHECKING:
    from agent_memory.ports import Reranker


def reranker_of(settings: Settings) -> Reranker:
    """Nothing is called before the first texts. ValueError for a name that is none, and for what a reranker misses."""
    if settings.reranker == "bedrock":
        from agent_memory.adapters.bedrock_reranker import BedrockReranker, make_client

        if not settings.reranker_model:
            raise ValueError("AGENT_MEMORY_RERANKER_MODEL must name the model of Bedrock")
        client = make_client(endpoint_url=settings.aws_endpoint_url or None)
        return BedrockReranker(client, settings.reranker_model, pause=time.sleep)
    if settings.reranker == "http":
        from agent_memory.adapters.http_reranker import HttpReranker

        address, key = settings.reranker_base_url, settings.reranker_api_key
        return HttpReranker(address, key, settings.reranker_model, pause=time.sleep)
    if settings.reranker != "local":
        raise ValueError(f"AGENT_MEMORY_RERANKER must be local, bedrock or http, not {settings.reranker!r}")
    from agent_memory.adapters.local_order import LocalOrder

    return LocalOrder()
