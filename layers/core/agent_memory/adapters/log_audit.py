"""The audit as structured log lines, and as CloudWatch metrics per operation where something reads them.

Metrics are in the embedded metric format (CloudWatch user guide, "Specification: Embedded metric format"): one line of
JSON on stdout, which log delivery turns into metrics after the answer, at no call of ours.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aws_lambda_powertools import Logger

    from agent_memory.audit import CallRecord

NAMESPACE = "AgentMemory"
UNITS = {"Calls": "Count", "ClientErrors": "Count", "ServerErrors": "Count", "Latency": "Milliseconds"}


class LogAudit:
    """Writes one line per call to the log, and one of metrics to `emit`; None emits none."""

    def __init__(self, logger: Logger, emit: Callable[[str], None] | None) -> None:
        self._logger = logger
        self._emit = emit

    def record(self, call: CallRecord) -> None:
        """Log the record, and count call, error and latency under its operation."""
        self._logger.info("call", extra={"call": asdict(call)})
        if self._emit:
            self._emit(metrics_line(call))

    def flush(self) -> None:
        """A line is out when it is written."""

    def lost(self, count: int, error: Exception, now_ms: int) -> None:
        """Tell that so many records could not be kept anywhere else."""
        self._logger.warning("audit records lost", extra={"lost": count, "error": type(error).__name__})
        if self._emit:
            self._emit(_line({"AuditLost": "Count"}, {"AuditLost": count}, now_ms))


def metrics_line(call: CallRecord) -> str:
    """The metrics of a call. Their only dimension is an operation of the route list, or `unknown`."""
    client = HTTPStatus.BAD_REQUEST <= call.status < HTTPStatus.INTERNAL_SERVER_ERROR
    values = {
        "operation": call.operation or "unknown",
        "Calls": 1,
        "ClientErrors": int(client),
        "ServerErrors": int(call.status >= HTTPStatus.INTERNAL_SERVER_ERROR),
        "Latency": call.latency_ms,
    }
    return _line(UNITS, values, call.created_ms)


def to_stdout(line: str) -> None:
    """Write the line where Lambda collects it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _line(units: dict[str, str], values: dict[str, Any], now_ms: int) -> str:
    described = {
        "Namespace": NAMESPACE,
        "Dimensions": [[name for name in values if name not in units]],
        "Metrics": [{"Name": name, "Unit": unit} for name, unit in units.items()],
    }
    return json.dumps({"_aws": {"Timestamp": now_ms, "CloudWatchMetrics": [described]}, **values})
