"""Settings, read once from the environment. The only module that touches `os.environ`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

SIGN_IN = ("open", "required")  # whether a call without credentials is served
MODEL_NAME = "e5-small"
_LAYER_MODEL = Path("/opt") / MODEL_NAME  # where Lambda unpacks the models layer


@dataclass(frozen=True, slots=True)
class Settings:
    """One field per environment variable `AGENT_MEMORY_<FIELD>`; an empty variable counts as unset.

    Without `table_name` the embedded adapters serve from `data_dir`.
    """

    data_dir: str = "data"
    table_name: str = ""
    extraction_queue_url: str = ""
    maintenance_queue_url: str = ""
    index_queue_url: str = ""
    snapshot_bucket: str = ""  # where parts of the indexes are stored, for a table on AWS
    aws_endpoint_url: str = ""
    model_dir: str = ""
    embedder: str = "e5"  # e5, bedrock or openai
    embedder_model: str = ""
    embedder_base_url: str = ""
    embedder_api_key: str = field(default="", repr=False)
    embedder_dim: int = 0
    reranker: str = "local"  # local (the order of the search stands), bedrock or http
    reranker_model: str = ""  # such as cohere.rerank-v3-5:0 or amazon.rerank-v1:0 (their ARN too), rerank-v3.5, bge-...
    reranker_base_url: str = ""  # of http: what stands before /rerank, or the whole address where it ends in /reranks
    reranker_api_key: str = field(default="", repr=False)  # of http; empty where the server wants none
    llm: str = ""  # none, openai (also where there is only an address or a key) or bedrock
    llm_model: str = ""
    llm_base_url: str = ""  # what stands before /chat/completions; OpenAI's own where it is empty
    llm_api_key: str = field(default="", repr=False)
    llm_timeout_seconds: int = 30  # of one call
    llm_max_tokens: int = 0  # of one answer, its thoughts included; 0: as many as the prompt asks for
    llm_batch_characters: int = 16_000  # of talk in one call; some 2,000 for a model that reads 4,096 tokens
    index_cache_bytes: int = 512 * 1024 * 1024
    max_body_bytes: int = 4 * 1024 * 1024
    lease_seconds: int = 60
    max_attempts: int = 5
    sweep_after_seconds: int = 300
    audit_days: int = 30  # how long the record of a call is kept; 0 keeps none
    log_level: str = "INFO"
    sign_in: str = SIGN_IN[0]
    kms_key_id: str = ""  # seals the secrets of access keys, where there is a table on AWS

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Settings of this process; a number that is none is a ValueError that names the variable."""
        source = os.environ if environ is None else environ
        given: dict[str, Any] = {}
        for each in fields(cls):
            variable = f"AGENT_MEMORY_{each.name.upper()}"
            if source.get(variable):
                given[each.name] = _read(variable, source[variable], number=isinstance(each.default, int))
        settings = cls(**given)
        if settings.sign_in not in SIGN_IN:
            raise ValueError(f"AGENT_MEMORY_SIGN_IN must be {' or '.join(SIGN_IN)}, not {settings.sign_in!r}")
        return settings


def _read(variable: str, text: str, *, number: bool) -> str | int:
    if not number:
        return text
    try:
        return int(text)
    except ValueError as error:
        raise ValueError(f"{variable} must be a whole number, not {text!r}") from error


def default_model_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The packaged embedder: AGENT_MEMORY_MODEL_DIR, else the Lambda layer, else `.models` of the checkout."""
    given = (os.environ if environ is None else environ).get("AGENT_MEMORY_MODEL_DIR", "")
    if given:
        return Path(given)
    if _LAYER_MODEL.is_dir():
        return _LAYER_MODEL
    return Path(__file__).resolve().parents[3] / ".models" / MODEL_NAME
