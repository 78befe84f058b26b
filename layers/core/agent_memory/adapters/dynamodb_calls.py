"""One call to DynamoDB: counted, retried where a moment may cure it, and its errors as ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_memory.adapters.dynamodb_items import consumed_units, failed_conditions, is_retried
from agent_memory.errors import AgentMemoryError, ConditionFailed, ServerBusy, ServiceUnavailable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from agent_memory.adapters.backoff import Backoff
    from agent_memory.adapters.meter import Meter

_READS = frozenset({"batch_get_item", "query"})


class DynamoCalls:
    """Calls operations of the client by their method names.

    Raises ConditionFailed, ServerBusy after the last try, or ServiceUnavailable with the AWS code.
    """

    def __init__(self, client: DynamoDBClient, backoff: Backoff, meter: Meter) -> None:
        self._client = client
        self._backoff = backoff
        self._meter = meter

    def call(self, operation: str, **request: Any) -> Mapping[str, Any]:
        """The answer to the request; every try sends the same request."""
        from botocore.exceptions import BotoCoreError, ClientError

        code = ""
        for tried in range(self._backoff.attempts):
            if tried:
                self._backoff.wait(tried - 1)
            try:
                return self._send(operation, request)
            except ClientError as error:
                if _was_applied(error.response, request, tried):
                    return {}
                if not is_retried(error.response):
                    raise _translated(operation, error.response) from error
                code = _code(error.response)
            except BotoCoreError as error:
                raise ServiceUnavailable(f"DynamoDB {operation}: {type(error).__name__}") from error
        raise ServerBusy(f"DynamoDB {operation}: {code} after {self._backoff.attempts} tries")

    def _send(self, operation: str, request: Mapping[str, Any]) -> Mapping[str, Any]:
        self._meter.count(operation)
        answer: Mapping[str, Any] = getattr(self._client, operation)(**request, ReturnConsumedCapacity="TOTAL")
        units = consumed_units(answer)
        if operation in _READS:
            self._meter.consume(read_units=units)
        else:
            self._meter.consume(write_units=units)
        return answer


def _code(answer: Any) -> str:
    return str(answer.get("Error", {}).get("Code", ""))


def _was_applied(answer: Any, request: Mapping[str, Any], tried: int) -> bool:
    """Whether a put failed its condition only because an earlier try of it, whose answer was lost, went through.

    DynamoDB has no request token for single writes; the stored item tells.
    """
    repeated = tried > 0 or answer.get("ResponseMetadata", {}).get("RetryAttempts", 0) > 0
    stored = answer.get("Item")
    return repeated and stored is not None and stored == request.get("Item")


def _translated(operation: str, answer: Any) -> AgentMemoryError:
    code, reasons = _code(answer), answer.get("CancellationReasons", [])
    if code == "ConditionalCheckFailedException":
        return ConditionFailed((0,))
    if failed := failed_conditions(reasons):
        return ConditionFailed(failed)
    causes = ", ".join(sorted({str(reason["Code"]) for reason in reasons if reason.get("Code")} - {"None"}))
    return ServiceUnavailable(f"DynamoDB {operation}: {code}" + (f" ({causes})" if causes else ""))
