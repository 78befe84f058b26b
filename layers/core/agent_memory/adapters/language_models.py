"""Which `LanguageModel` the settings mean."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from agent_memory.settings import Settings

if TYPE_CHECKING:
    from agent_memory.language_model import LanguageModel


def language_model_of(settings: Settings) -> LanguageModel | None:
    """None where none is set up; nothing is called before the first prompt. ValueError for what cannot work."""
    kind = settings.llm or ("openai" if settings.llm_base_url or settings.llm_api_key else "")
    if not kind:
        if settings.llm_model:
            raise ValueError("AGENT_MEMORY_LLM must be openai or bedrock where AGENT_MEMORY_LLM_MODEL is set")
        return None
    if kind not in ("openai", "bedrock"):
        raise ValueError(f"AGENT_MEMORY_LLM must be empty, openai or bedrock, not {kind!r}")
    if not settings.llm_model:
        raise ValueError("AGENT_MEMORY_LLM_MODEL must name the language model")
    if settings.llm_timeout_seconds < 1:
        raise ValueError("AGENT_MEMORY_LLM_TIMEOUT_SECONDS must be 1 or more")
    if kind == "bedrock":
        from agent_memory.adapters.bedrock_model import BedrockModel, make_client

        client = make_client(settings.llm_timeout_seconds, settings.aws_endpoint_url or None)
        return BedrockModel(client, settings.llm_model, settings.llm_max_tokens)
    from agent_memory.adapters.openai_model import OPENAI, OpenAIModel

    return OpenAIModel(
        settings.llm_base_url or OPENAI,
        settings.llm_api_key,
        settings.llm_model,
        timeout_seconds=settings.llm_timeout_seconds,
        max_tokens=settings.llm_max_tokens,
        clock=time.monotonic,
    )
