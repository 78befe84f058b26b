"""A DynamoDB client whose answers a test prepares: what no emulator gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from botocore.exceptions import ClientError

from agent_memory.adapters.backoff import Backoff
from agent_memory.adapters.dynamodb_table import DynamoTable
from agent_memory.adapters.meter import Meter
from agent_memory.ports import Item, Key, Put

ATTEMPTS = Backoff(lambda _: None, lambda: 0.0).attempts
NAME = "table"
Answer = dict[str, Any] | Exception | Callable[..., dict[str, Any]]


class Scripted:
    """A client that gives one prepared answer after the other, the last one for ever, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[tuple[str, dict[str, Any]]] = []

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        def call(**request: Any) -> dict[str, Any]:
            self.requests.append((operation, request))
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            if isinstance(answer, Exception):
                raise answer
            return answer(**request) if callable(answer) else answer

        return call


class Waits:
    """A pause that only notes how long it was asked to last."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def table_of(client: object, waits: Waits | None = None, meter: Meter | None = None) -> DynamoTable:
    """The adapter over a client that is not AWS, with a random number that is always one half."""
    return DynamoTable(cast("Any", client), NAME, pause=waits or Waits(), random=lambda: 0.5, meter=meter or Meter())


def fault(code: str, status: int = 400, **more: Any) -> ClientError:
    """An error answer of DynamoDB."""
    answer = {"Error": {"Code": code, "Message": "as told"}, "ResponseMetadata": {"HTTPStatusCode": status}} | more
    return ClientError(cast("Any", answer), "Operation")


def cancelled(*codes: str) -> ClientError:
    """The answer to a transaction that was not applied, with a reason for each write."""
    return fault("TransactionCanceledException", CancellationReasons=[{"Code": code} for code in codes])


def puts(count: int) -> list[Put]:
    """Unconditional puts of different keys."""
    return [Put(Item(Key("p", f"{n:03}"), {"n": n})) for n in range(count)]
