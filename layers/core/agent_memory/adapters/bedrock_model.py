"""Language models on Amazon Bedrock, by the Converse operation.

docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html; which model takes which tool choice, system
texts and temperature: ".../userguide/conversation-inference-supported-models-features.html".
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agent_memory.adapters.openai_answer import count
from agent_memory.adapters.openai_dialect import with_schema
from agent_memory.errors import LlmFailed, LlmRefused, LlmThrottled, LlmTimeout, LlmUnavailable
from agent_memory.language_model import Completion, Prompt, Spent

if TYPE_CHECKING:
    from botocore.exceptions import BotoCoreError, ClientError
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

CONNECT_SECONDS = 3
VALIDATION = "ValidationException"
CHOICES = ("tool", "any", "")  # each asks less of the model than the one before
MAX_WAYS = 5
CUT = frozenset({"max_tokens", "model_context_window_exceeded"})
REFUSED = frozenset({"guardrail_intervened", "content_filtered"})
TIMED_OUT = frozenset({"ModelTimeoutException", "RequestTimeout", "RequestTimeoutException"})
THROTTLED = frozenset({"ThrottlingException", "TooManyRequestsException", "ServiceQuotaExceededException"})
NOT_NOW = frozenset({"ModelNotReadyException", "ModelErrorException"})
# What comes out of botocore, which reads all JSON as if it had the right shape.
MISSHAPEN = (ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError)
_ABOUT_TOOLS = re.compile(r"tool", re.IGNORECASE)
_ABOUT_SYSTEM = re.compile(r"system", re.IGNORECASE)
_ABOUT_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)


def make_client(timeout_seconds: float, endpoint_url: str | None = None) -> BedrockRuntimeClient:
    """A "bedrock-runtime" client that waits so long for an answer, and calls once: the caller decides on retries."""
    import boto3
    from botocore.config import Config

    config = Config(connect_timeout=CONNECT_SECONDS, read_timeout=timeout_seconds, retries={"total_max_attempts": 1})
    return boto3.client("bedrock-runtime", endpoint_url=endpoint_url, config=config)


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to ask: `choice` is one of CHOICES, `system` whether the model takes system texts."""

    choice: str = CHOICES[0]
    system: bool = True
    temperature: bool = True

    def request(self, prompt: Prompt, max_tokens: int) -> dict[str, Any]:
        system = prompt.system if self.choice else prompt.system + with_schema(prompt)
        user = prompt.user if self.system else f"{system}\n\n{prompt.user}"
        limits = {"maxTokens": max_tokens, **({"temperature": 0.0} if self.temperature else {})}
        request = {"messages": [{"role": "user", "content": [{"text": user}]}], "inferenceConfig": limits}
        if self.system:
            request["system"] = [{"text": system}]
        if self.choice:
            tool = {"name": prompt.name, "inputSchema": {"json": dict(prompt.schema)}}
            choice = {"tool": {"name": prompt.name}} if self.choice == "tool" else {"any": {}}
            request["toolConfig"] = {"tools": [{"toolSpec": tool}], "toolChoice": choice}
        return request

    def after(self, refusal: str) -> _Way | None:
        if self.choice and _ABOUT_TOOLS.search(refusal):
            return replace(self, choice=CHOICES[CHOICES.index(self.choice) + 1])
        if self.system and _ABOUT_SYSTEM.search(refusal):
            return replace(self, system=False)
        if self.temperature and _ABOUT_TEMPERATURE.search(refusal):
            return replace(self, temperature=False)
        return None


class BedrockModel:
    """`client` is boto3's "bedrock-runtime"; `model` a model id, an inference profile or an ARN.

    `max_tokens` goes before the prompt's, where it is not 0.
    """

    def __init__(self, client: BedrockRuntimeClient, model: str, max_tokens: int = 0) -> None:
        self._client = client
        self._model = model
        self._max_tokens = max_tokens
        self._way = _Way()

    @property
    def name(self) -> str:
        """The model."""
        return self._model

    def complete(self, prompt: Prompt) -> Completion:
        """One answer, as JSON of a tool's input where the model uses tools; what it does not take is learned once.

        Raises LlmTimeout, LlmUnavailable, LlmThrottled or LlmRefused.
        """
        from botocore.exceptions import BotoCoreError, ClientError
        from botocore.parsers import ResponseParserError

        way = self._way
        for _ in range(MAX_WAYS):
            request = way.request(prompt, self._max_tokens or prompt.max_tokens)
            try:
                answer = _completion_of(self._client.converse(modelId=self._model, **request))
            except ClientError as error:
                # "from None", here and below: what the service says may repeat the prompt
                said = error.response.get("Error", {})
                other = way.after(said.get("Message", "")) if said.get("Code") == VALIDATION else None
                if other is None:
                    raise _refusal(error, self._model) from None
                way = other
            except BotoCoreError as error:
                raise _no_answer(error, self._model) from None
            except (ResponseParserError, *MISSHAPEN):
                raise LlmUnavailable(f"Bedrock answered for {self._model} with what is no message") from None
            else:
                self._way = way
                return answer
        raise LlmRefused(f"Bedrock refused {self._model}: {VALIDATION}")


def _completion_of(answer: Any) -> Completion:
    usage, reason = answer.get("usage") or {}, answer.get("stopReason")
    spent = Spent(1, count(usage.get("inputTokens")), count(usage.get("outputTokens")))
    if reason in REFUSED:
        raise LlmRefused("the language model refuses to answer", spent)
    blocks = answer["output"]["message"].get("content") or []
    inputs = [each["toolUse"]["input"] for each in blocks if "toolUse" in each]
    texts = [each["text"] for each in blocks if "text" in each]
    text = json.dumps(inputs[0], ensure_ascii=False) if inputs else "".join(texts)
    return Completion(text, spent.input_tokens, spent.output_tokens, reason in CUT)


def _refusal(error: ClientError, model: str) -> LlmFailed:
    code = str(error.response.get("Error", {}).get("Code", "unknown"))
    status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    said = f"Bedrock refused {model}: {code} (HTTP {status})"
    if code in TIMED_OUT:
        return LlmTimeout(said)
    if code in NOT_NOW:
        return LlmUnavailable(said)
    if code in THROTTLED or status == 429:  # noqa: PLR2004 - Too Many Requests
        return LlmThrottled(said)
    return LlmUnavailable(said) if status >= 500 else LlmRefused(said)  # noqa: PLR2004 - errors of the server


def _no_answer(error: BotoCoreError, model: str) -> LlmFailed:
    from botocore.exceptions import ConnectTimeoutError, NoCredentialsError, ParamValidationError, ReadTimeoutError

    said = f"Bedrock did not answer for {model}: {type(error).__name__}"
    if isinstance(error, ReadTimeoutError | ConnectTimeoutError):
        return LlmTimeout(said)
    if isinstance(error, NoCredentialsError | ParamValidationError):
        return LlmRefused(said)
    return LlmUnavailable(said)
