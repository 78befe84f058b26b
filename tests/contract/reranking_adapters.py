"""The rerankers, those that call a service pointed at the loopback server."""

from __future__ import annotations

from collections.abc import Callable

import boto3
from botocore.config import Config

from agent_memory.adapters.bedrock_reranker import BedrockReranker
from agent_memory.adapters.http_reranker import HttpReranker
from agent_memory.adapters.local_order import LocalOrder
from agent_memory.ports import Reranker

from .reranking_server import API_KEY, MODEL, RerankingServer

Pause = Callable[[float], None]


def refuse_to_wait(seconds: float) -> None:
    raise AssertionError(f"waited {seconds} s")


def adapter(name: str, server: RerankingServer, pause: Pause = refuse_to_wait) -> Reranker:
    """Waiting is an error unless a test asks for it."""
    return {"local": lambda *_: LocalOrder(), "bedrock": bedrock, "http": http}[name](server, pause)


def http(server: RerankingServer, pause: Pause = refuse_to_wait) -> HttpReranker:
    """For the loopback endpoint."""
    return HttpReranker(f"{server.url}/v2/", API_KEY, "rerank-v3.5", pause=pause)


def bedrock(server: RerankingServer, pause: Pause = refuse_to_wait) -> BedrockReranker:
    """With a real boto3 client."""
    client = boto3.client(
        "bedrock-agent-runtime",
        region_name="eu-central-1",
        endpoint_url=server.url,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}, read_timeout=0.5),
    )
    return BedrockReranker(client, MODEL, pause)
