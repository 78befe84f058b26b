"""Which `Embedder` the settings mean."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.settings import Settings, default_model_dir

if TYPE_CHECKING:
    from agent_memory.ports import Embedder, TokenEmbedder


def embedder_of(settings: Settings) -> Embedder:
    """Without a cache; nothing is loaded or called before the first text. ValueError for a name that is none."""
    if settings.embedder == "bedrock":
        from agent_memory.adapters.bedrock_embedder import BedrockEmbedder, make_client

        return BedrockEmbedder(make_client(endpoint_url=settings.aws_endpoint_url or None), settings.embedder_model)
    if settings.embedder == "openai":
        from agent_memory.adapters.openai_embedder import OpenAIEmbedder

        return OpenAIEmbedder(
            base_url=settings.embedder_base_url,
            api_key=settings.embedder_api_key,
            model=settings.embedder_model,
            dim=settings.embedder_dim,
            pause=time.sleep,
        )
    if settings.embedder != "e5":
        raise ValueError(f"AGENT_MEMORY_EMBEDDER must be e5, bedrock or openai, not {settings.embedder!r}")
    from agent_memory.adapters.e5_embedder import E5Embedder

    return E5Embedder(Path(settings.model_dir) if settings.model_dir else default_model_dir())


def embedders_of(settings: Settings) -> tuple[Embedder, TokenEmbedder]:
    """Of texts, with a cache for queries, and of their tokens."""
    from agent_memory.adapters.query_cache import CachedEmbedder

    bare = embedder_of(settings)
    return CachedEmbedder(bare, size=1_000), tokens_of(bare)


def tokens_of(embedder: Embedder) -> TokenEmbedder:
    """Token vectors from the same network; of a model that gives none there are none, and they change nothing."""
    from agent_memory.adapters.e5_embedder import E5Embedder

    if isinstance(embedder, E5Embedder):
        from agent_memory.adapters.e5_tokens import E5TokenEmbedder

        return E5TokenEmbedder(embedder)
    from agent_memory.adapters.no_tokens import NoTokens

    return NoTokens(embedder)
