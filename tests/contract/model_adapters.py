"""The language models, pointed at the loopback server."""

from __future__ import annotations

from typing import Any

import boto3
from botocore.config import Config

from agent_memory.adapters.bedrock_model import BedrockModel
from agent_memory.adapters.openai_model import OpenAIModel
from agent_memory.language_model import LanguageModel, Prompt

from .model_server import API_KEY, BEDROCK_MODEL, MODEL, ModelServer

SCHEMA = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
    "additionalProperties": False,
}
PROMPT = Prompt("facts", "提取事实。", "我对虾过敏 😀", SCHEMA, max_tokens=100)
SERVICES = ["openai", "bedrock"]


def adapter(name: str, server: ModelServer) -> LanguageModel:
    return openai(server) if name == "openai" else bedrock(server)


def openai(server: ModelServer, **options: Any) -> OpenAIModel:
    """For the loopback endpoint."""
    return OpenAIModel(f"{server.url}/v1", API_KEY, MODEL, **{"timeout_seconds": 5.0, **options})


def bedrock(server: ModelServer, *, seconds: float = 5.0, max_tokens: int = 0) -> BedrockModel:
    """With a real boto3 client."""
    client = boto3.client(
        "bedrock-runtime",
        region_name="eu-central-1",
        endpoint_url=server.url,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}, read_timeout=seconds),
    )
    return BedrockModel(client, BEDROCK_MODEL, max_tokens)
