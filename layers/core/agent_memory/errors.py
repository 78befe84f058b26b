"""Every named error of the service: a stable `code`, and whether the same call may succeed later."""

from __future__ import annotations

from agent_memory.language_model import NOTHING_SPENT, Spent


class AgentMemoryError(Exception):
    """Base of all named errors. `code` is what clients and tests decide on, never the message."""

    code = "INTERNAL_ERROR"
    retryable = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidParameter(AgentMemoryError):
    """A field of the request is missing, unknown or outside its limits; the message starts with its name."""

    code = "INVALID_PARAMETER"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field} {problem}" if field else problem)
        self.field = field
        self.problem = problem


class Unauthorized(AgentMemoryError):
    """The service wants credentials, and the request has none."""

    code = "UNAUTHORIZED"


class AuthFailed(AgentMemoryError):
    """The credentials of the request are wrong, expired or disabled."""

    code = "OTSAuthFailed"


class PermissionDenied(AgentMemoryError):
    """The key is good, and the call is outside what it is limited to."""

    code = "OTSPermissionDenied"


class NotFound(AgentMemoryError):
    """The store, task, memory or operation does not exist, or is not the caller's to see."""

    code = "NOT_FOUND"


class DreamingDisabled(AgentMemoryError):
    """An operation of Dream, which this service does not have yet; the official dashboard knows the code."""

    code = "DREAMING_DISABLED"


class Conflict(AgentMemoryError):
    """The name is taken, or the record changed since the caller read it."""

    code = "CONFLICT"


class PayloadTooLarge(AgentMemoryError):
    """The request body is larger than the service reads."""

    code = "PAYLOAD_TOO_LARGE"


class MethodNotAllowed(AgentMemoryError):
    """Operations are called with POST."""

    code = "METHOD_NOT_ALLOWED"


class ServerBusy(AgentMemoryError):
    """Too many callers at one place; every official client that retries knows this code."""

    code = "OTSServerBusy"
    retryable = True


class ServiceUnavailable(AgentMemoryError):
    """A part the call needs (table, queue, model) does not answer now."""

    code = "SERVICE_UNAVAILABLE"
    retryable = True


class ConditionFailed(AgentMemoryError):
    """A conditional write found another version; nothing of the batch was written.

    `failed` holds the positions in the batch whose condition did not hold (empty where the table did not tell).
    """

    code = "CONFLICT"
    retryable = True

    def __init__(self, failed: tuple[int, ...] = ()) -> None:
        super().__init__("a record changed between reading and writing")
        self.failed = failed


class ItemTooLarge(AgentMemoryError):
    """One record would exceed the 400 KB that a table item may have."""

    code = "ITEM_TOO_LARGE"


class ScopeDeleted(AgentMemoryError):
    """The scope of a job was deleted after the job was queued; nothing of it may be written any more."""

    code = "SCOPE_DELETED"


class EmbedderFailed(AgentMemoryError):
    """The embedding model gave no usable vectors."""

    code = "EMBEDDER_FAILED"
    retryable = True


class RerankerFailed(AgentMemoryError):
    """The reranking model gave no usable scores. A search then keeps its own order: no caller gets it as a status."""

    code = "RERANKER_FAILED"
    retryable = True


class LlmFailed(AgentMemoryError):
    """The language model gave no usable answer. No caller gets it as a status: tasks tell its code.

    `spent` is what the calls up to the failure cost, the failed ones included.
    """

    code = "LLM_FAILED"

    def __init__(self, message: str, spent: Spent = NOTHING_SPENT) -> None:
        super().__init__(message)
        self.spent = spent


class LlmTimeout(LlmFailed):
    """The language model did not answer in time."""

    code = "LLM_TIMEOUT"
    retryable = True


class LlmUnavailable(LlmFailed):
    """The language model can't be reached, or answers that something is wrong on its side."""

    code = "LLM_UNAVAILABLE"
    retryable = True


class LlmThrottled(LlmFailed):
    """The language model wants fewer calls."""

    code = "LLM_THROTTLED"
    retryable = True


class LlmRefused(LlmFailed):
    """The language model refuses the call: wrong key, unknown model, input too long, a content filter."""

    code = "LLM_REFUSED"


class LlmEmptyResponse(LlmFailed):
    """The language model answered with nothing, twice."""

    code = "LLM_EMPTY_RESPONSE"


class LlmBadJson(LlmFailed):
    """The language model answered twice with what cannot be read; the message shows the beginning of the reply."""

    code = "LLM_BAD_JSON"
