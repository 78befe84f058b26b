"""Any server that speaks OpenAI's chat completions: OpenAI, DashScope, DeepSeek, vLLM, Ollama and so on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agent_memory.adapters.openai_answer import completion_of, error_of
from agent_memory.adapters.openai_dialect import Dialect
from agent_memory.errors import LlmTimeout, LlmUnavailable
from agent_memory.language_model import Completion, Prompt

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

OPENAI = "https://api.openai.com/v1"
MAX_ANSWER_BYTES = 8 * 1024 * 1024
MALFORMED = frozenset({400, 422})
REFUSED = 400
MAX_WAYS = 7  # to ask, each of which a server may refuse
# A server's complaint; what follows may be the prompt, in which any word can stand.
SHOWN_OF_A_REFUSAL = 1_000


@dataclass(frozen=True)
class OpenAIModel:
    """`base_url` ends before "/chat/completions"; `api_key` is empty where the server wants none.

    `timeout_seconds` is for a call as a whole; `max_tokens` goes before the prompt's, where it is not 0.
    """

    base_url: str
    api_key: str = field(repr=False)
    model: str
    _: KW_ONLY
    timeout_seconds: float = 30.0
    max_tokens: int = 0
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    _dialect: list[Dialect] = field(default_factory=lambda: [Dialect()], init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuses an address that is not HTTP."""
        if not self.base_url.lower().startswith(("https://", "http://")):
            raise ValueError("the address of the language model must begin with https:// or http://")

    @property
    def name(self) -> str:
        """The model."""
        return self.model

    def complete(self, prompt: Prompt) -> Completion:
        """One answer; the server's refusals of parameters cost further calls, once in the life of the adapter.

        Raises LlmTimeout, LlmUnavailable, LlmThrottled or LlmRefused.
        """
        import httpx2
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        until, dialect = self.clock() + self.timeout_seconds, self._dialect[0]
        for _ in range(MAX_WAYS):
            try:
                content = self._send(dialect.parameters(prompt, self.max_tokens or prompt.max_tokens), until)
            except APIStatusError as error:
                # "from None", here and below: those errors quote the server, and servers quote keys and prompts
                other = dialect.after(_complaint(error)) if error.status_code in MALFORMED else None
                if other is None:
                    raise error_of(error.status_code) from None
                dialect = other
            except (APITimeoutError, httpx2.TimeoutException):
                raise _timeout() from None
            except (APIConnectionError, httpx2.HTTPError) as error:
                reason = type(error.__cause__ or error).__name__
                raise LlmUnavailable(f"the language model's server can't be reached: {reason}") from None
            else:
                self._dialect[0] = dialect
                return completion_of(content)
        raise error_of(REFUSED)

    def _send(self, parameters: dict[str, Any], until: float) -> bytes:
        """The body of the answer, read until the time or the most bytes are over."""
        if self.clock() >= until:
            raise _timeout()
        received = bytearray()
        with self._client.chat.completions.with_streaming_response.create(
            model=self.model, timeout=self.timeout_seconds, extra_headers=self._headers, **parameters
        ) as answer:
            for piece in answer.iter_bytes():
                received += piece
                if self.clock() >= until:
                    raise _timeout()
                if len(received) > MAX_ANSWER_BYTES:
                    raise LlmUnavailable(f"the language model's server answered more than {MAX_ANSWER_BYTES} bytes")
        return bytes(received)

    @cached_property
    def _client(self) -> OpenAI:
        """Without retries, which are the caller's to decide, and redirects, which would carry the key elsewhere."""
        from openai import DefaultHttpxClient, OpenAI

        http = DefaultHttpxClient(follow_redirects=False)
        key = self.api_key or "none"  # the library wants one; see the headers
        return OpenAI(api_key=key, base_url=self.base_url, max_retries=0, http_client=http)

    @cached_property
    def _headers(self) -> dict[str, Any]:
        """What the library would add from the environment, or for the lack of a key, is left out."""
        from openai import Omit

        unwanted = ["OpenAI-Organization", "OpenAI-Project", *([] if self.api_key else ["Authorization"])]
        return {name: Omit() for name in unwanted}


def _timeout() -> LlmTimeout:
    return LlmTimeout("the language model did not answer in time")


def _complaint(error: APIStatusError) -> str:
    """What the server says is wrong, and about which parameter."""
    return f"{error.param or ''} {error.code or ''} {error.message}"[:SHOWN_OF_A_REFUSAL]
