"""Reranking models on Amazon Bedrock: cohere.rerank-v3-5:0 and amazon.rerank-v1:0, where a region has them.

Shapes and limits: "Rerank" in the API reference of Agents for Amazon Bedrock Runtime
(docs.aws.amazon.com/bedrock/latest/APIReference/API_agent-runtime_Rerank.html).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from agent_memory.adapters.rerank_scores import aligned, in_unit_range, sendable
from agent_memory.errors import RerankerFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from botocore.exceptions import ClientError
    from mypy_boto3_bedrock_agent_runtime import AgentsforBedrockRuntimeClient
    from mypy_boto3_bedrock_agent_runtime.type_defs import RerankRequestTypeDef, RerankResponseTypeDef

WINDOW = 50  # up to 100 documents cost the same, and take longer
MAX_DOCUMENTS = 1000
MAX_CHARACTERS = 32_000  # of the query and of each document; the models read the beginning of what is longer than that
MAX_PAGES = 10
CONNECT_SECONDS = 2
READ_SECONDS = 5
PAUSE_SECONDS = 0.5
BUSY = frozenset({429, 503})
THROTTLED = "ThrottlingException"
# What comes out of botocore, which reads all JSON as if it had the right shape.
MISSHAPEN = (ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError)


def make_client(endpoint_url: str | None = None) -> AgentsforBedrockRuntimeClient:
    """A "bedrock-agent-runtime" client that gives up while a search can still wait; the adapter does the retry."""
    import boto3
    from botocore.config import Config

    config = Config(connect_timeout=CONNECT_SECONDS, read_timeout=READ_SECONDS, retries={"total_max_attempts": 1})
    return boto3.client("bedrock-agent-runtime", endpoint_url=endpoint_url, config=config)


def model_arn(model: str, region: str, partition: str = "aws") -> str:
    """The ARN of a foundation model in the region that is called; what is an ARN stays as it is."""
    return model if model.startswith("arn:") else f"arn:{partition}:bedrock:{region}::foundation-model/{model}"


class BedrockReranker:
    """`client` is boto3's "bedrock-agent-runtime"; `model` a model id or an ARN. `pause` sleeps."""

    window = WINDOW

    def __init__(
        self, client: AgentsforBedrockRuntimeClient, model: str, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._client = client
        self._model = model
        self._arn = model_arn(model, client.meta.region_name, client.meta.partition)
        self._pause = pause

    @property
    def name(self) -> str:
        """The model."""
        return self._model

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Several calls for more than 1,000 texts; of each text the first 32,000 characters."""
        asked, sent = sendable(query, MAX_CHARACTERS), [sendable(text, MAX_CHARACTERS) for text in texts]
        scores: list[float] = []
        for start in range(0, len(sent), MAX_DOCUMENTS):
            batch = sent[start : start + MAX_DOCUMENTS]
            scores += aligned(self._results(_request(self._arn, asked, batch)), len(batch))
        return in_unit_range(scores)

    def _results(self, request: RerankRequestTypeDef) -> list[tuple[Any, Any]]:
        """(index, score) of all pages; raises RerankerFailed."""
        from botocore.exceptions import BotoCoreError, ClientError
        from botocore.parsers import ResponseParserError

        found: list[tuple[Any, Any]] = []
        try:
            for _ in range(MAX_PAGES):
                answer = self._call(request)
                found += [(result["index"], result["relevanceScore"]) for result in answer["results"]]
                if not answer.get("nextToken"):
                    return found
                request = {**request, "nextToken": answer["nextToken"]}
        except ClientError as error:
            raise RerankerFailed(f"Bedrock refused {self._model}: {_code(error)} (HTTP {_status(error)})") from error
        except BotoCoreError as error:
            raise RerankerFailed(f"Bedrock did not answer for {self._model}: {type(error).__name__}") from error
        except (ResponseParserError, *MISSHAPEN) as error:
            raise RerankerFailed(f"Bedrock answered for {self._model} without scores") from error
        raise RerankerFailed(f"Bedrock came to no last page for {self._model}")

    def _call(self, request: RerankRequestTypeDef) -> RerankResponseTypeDef:
        from botocore.exceptions import ClientError

        try:
            return self._client.rerank(**request)
        except ClientError as error:
            if _status(error) not in BUSY and _code(error) != THROTTLED:
                raise
        self._pause(PAUSE_SECONDS)
        return self._client.rerank(**request)


def _request(arn: str, query: str, texts: Sequence[str]) -> RerankRequestTypeDef:
    return {
        "queries": [{"type": "TEXT", "textQuery": {"text": query}}],
        "sources": [
            {"type": "INLINE", "inlineDocumentSource": {"type": "TEXT", "textDocument": {"text": text}}}
            for text in texts
        ],
        "rerankingConfiguration": {
            "type": "BEDROCK_RERANKING_MODEL",
            "bedrockRerankingConfiguration": {
                "numberOfResults": len(texts),
                "modelConfiguration": {"modelArn": arn},
            },
        },
    }


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", "unknown"))


def _status(error: ClientError) -> int:
    return int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
