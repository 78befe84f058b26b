"""Embedding models on Amazon Bedrock.

Request and answer shapes: "Amazon Titan Text Embeddings" and "Cohere Embed v3" in the Bedrock user guide
(docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html, ...-embed-v3.html).
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from agent_memory.adapters.embedding_parts import checked_rows, parts_of, pooled
from agent_memory.errors import EmbedderFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

    from agent_memory.ports import Vectors

    Side = Literal["query", "passage"]

PARALLEL_CALLS = 8  # a boto3 client serves threads, and its pool keeps 10 connections unless told otherwise
CONNECT_SECONDS = 3
READ_SECONDS = 20
ATTEMPTS = 4


class Family(Protocol):
    """How the models of one vendor are called: size of a vector, texts per call, bytes per text, bodies."""

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    @property
    def batch(self) -> int:
        """Most texts in one call."""
        ...

    @property
    def max_bytes(self) -> int:
        """Most bytes of UTF-8 in one text, such that the model reads all of it."""
        ...

    def request(self, texts: Sequence[str], side: Side) -> dict[str, Any]:
        """The body of a call."""
        ...

    def rows(self, answer: Any) -> Any:
        """The vectors in the body of an answer; raises KeyError or TypeError if there are none."""
        ...


@dataclass(frozen=True, slots=True)
class Titan:
    """amazon.titan-embed-text-v2:0, 256, 512 or 1024 numbers; 8,192 tokens, each a byte or more."""

    dim: int = 512
    batch: int = 1
    max_bytes: int = 8000

    def request(self, texts: Sequence[str], side: Side) -> dict[str, Any]:  # noqa: ARG002 - both sides are the same
        """One text; the service normalises."""
        return {"inputText": texts[0], "dimensions": self.dim, "normalize": True}

    def rows(self, answer: Any) -> Any:
        """The only vector as the only row."""
        return [answer["embedding"]]


@dataclass(frozen=True, slots=True)
class Cohere:
    """cohere.embed-multilingual-v3 and cohere.embed-english-v3: 2,048 characters and 512 tokens.

    1,000 bytes stay below 512 tokens in every kind of text but crafted ones; `truncate` lets such a text lose its end
    rather than refuse the 95 others of its call.
    """

    dim: int = 1024
    batch: int = 96
    max_bytes: int = 1000

    def request(self, texts: Sequence[str], side: Side) -> dict[str, Any]:
        """Up to 96 texts of one side."""
        kind = "search_query" if side == "query" else "search_document"
        return {"texts": list(texts), "input_type": kind, "truncate": "END"}

    def rows(self, answer: Any) -> Any:
        """Vectors in the order of the texts."""
        return answer["embeddings"]


def family_of(model_id: str) -> Family:
    """By the vendor's part of the id, which inference profiles and ARNs keep; raises EmbedderFailed for others."""
    if "amazon.titan-embed-text-v2" in model_id:
        return Titan()
    if "cohere.embed-multilingual-v3" in model_id or "cohere.embed-english-v3" in model_id:
        return Cohere()
    raise EmbedderFailed(f"no known way to call the Bedrock model {model_id!r} for embeddings")


def make_client(endpoint_url: str | None = None) -> BedrockRuntimeClient:
    """A "bedrock-runtime" client that waits and retries within what a Lambda call can afford."""
    import boto3
    from botocore.config import Config

    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
    )
    return boto3.client("bedrock-runtime", endpoint_url=endpoint_url, config=config)


class BedrockEmbedder:
    """`client` is boto3's "bedrock-runtime" with the caller's time-outs and retries; `family` follows from the id."""

    def __init__(self, client: BedrockRuntimeClient, model_id: str, family: Family | None = None) -> None:
        self._client = client
        self._model_id = model_id
        self._family = family or family_of(model_id)

    @property
    def model(self) -> str:
        """The model id."""
        return self._model_id

    @property
    def dim(self) -> int:
        """512 for Titan unless another family was given, 1024 for Cohere."""
        return self._family.dim

    def embed(self, texts: Sequence[str], side: Side) -> Vectors:
        """Unit vectors; several calls run at the same time."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dim), np.float32)
        parts = parts_of(texts, self._family.max_bytes)
        starts = range(0, len(parts.texts), self._family.batch)
        batches = [parts.texts[start : start + self._family.batch] for start in starts]
        with ThreadPoolExecutor(max_workers=min(PARALLEL_CALLS, len(batches))) as pool:
            rows = list(pool.map(lambda batch: self._call(batch, side), batches))
        return pooled(np.concatenate(rows), parts.owners, parts.weights, parts.count)

    def _call(self, texts: Sequence[str], side: Side) -> Vectors:
        body = self._invoke(json.dumps(self._family.request(texts, side)))
        try:
            rows = self._family.rows(json.loads(body))
        except (ValueError, KeyError, TypeError) as error:
            raise EmbedderFailed(f"Bedrock answered for {self._model_id} without embeddings") from error
        return checked_rows(rows, len(texts), self.dim)

    def _invoke(self, body: str) -> bytes:
        from botocore.exceptions import BotoCoreError, ClientError

        kind = "application/json"
        try:
            answer = self._client.invoke_model(modelId=self._model_id, body=body, contentType=kind, accept=kind)
            return answer["body"].read()
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "unknown")
            status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
            raise EmbedderFailed(f"Bedrock refused {self._model_id}: {code} (HTTP {status})") from error
        except BotoCoreError as error:
            raise EmbedderFailed(f"Bedrock did not answer for {self._model_id}: {type(error).__name__}") from error
