"""The part of Lambda's context object that handlers and Powertools read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LocalContext:
    """One invocation; `deadline` and `now` are Unix seconds. Nothing stops a handler that passes its deadline."""

    function_name: str
    aws_request_id: str
    deadline: float
    now: Callable[[], float]
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 1024

    @property
    def invoked_function_arn(self) -> str:
        """An ARN of the right form; no function has it."""
        return f"arn:aws:lambda:local:000000000000:function:{self.function_name}"

    @property
    def log_group_name(self) -> str:
        """The log group that Lambda would use."""
        return f"/aws/lambda/{self.function_name}"

    @property
    def log_stream_name(self) -> str:
        """One stream, since one process serves all invocations."""
        return "local"

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the deadline, never negative."""
        return max(0, int((self.deadline - self.now()) * 1000))
