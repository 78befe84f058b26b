"""The embedders that call a service, pointed at the loopback server."""

from __future__ import annotations

import boto3
from botocore.config import Config

from agent_memory.adapters.bedrock_embedder import BedrockEmbedder
from agent_memory.adapters.openai_embedder import OpenAIEmbedder
from agent_memory.adapters.query_cache import CachedEmbedder
from agent_memory.ports import Embedder

from .embedding_server import API_KEY, COHERE, OPENAI_DIM, TITAN, EmbeddingServer


def adapter(name: str, server: EmbeddingServer) -> Embedder:
    """An adapter that calls the loopback server."""
    if name == "openai":
        return openai(server)
    if name == "cached":
        return CachedEmbedder(openai(server), size=3)
    return bedrock(server, TITAN if name == "titan" else COHERE)


def openai(server: EmbeddingServer) -> OpenAIEmbedder:
    """For the loopback endpoint; waiting is an error unless a test asks for it."""
    return OpenAIEmbedder(f"{server.url}/v1/", API_KEY, "text-embedding-3-small", OPENAI_DIM, pause=refuse_to_wait)


def bedrock(server: EmbeddingServer, model_id: str) -> BedrockEmbedder:
    """With a real boto3 client."""
    client = boto3.client(
        "bedrock-runtime",
        region_name="eu-central-1",
        endpoint_url=server.url,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}, read_timeout=0.5),
    )
    return BedrockEmbedder(client, model_id)


def refuse_to_wait(seconds: float) -> None:
    raise AssertionError(f"waited {seconds} s")
