"""The audit as structured log lines, with CloudWatch metrics (embedded metric format) per operation on AWS."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aws_lambda_powertools import Logger

    from agent_memory.ports import CallRecord

NAMESPACE = "AgentMemory"


class LogAudit:
    """Writes one line per call; log delivery on Lambda is off the hot path and survives the freeze."""

    def __init__(self, logger: Logger, *, emit_metrics: bool) -> None:
        self._logger = logger
        self._emit_metrics = emit_metrics

    def record(self, call: CallRecord) -> None:
        """Log the record, and count call, error and latency under its operation."""
        self._logger.info("call", extra={"call": asdict(call)})
        if self._emit_metrics:
            self._count(call)

    def _count(self, call: CallRecord) -> None:
        from aws_lambda_powertools.metrics import MetricUnit, single_metric

        values = (("Latency", MetricUnit.Milliseconds, call.latency_ms), (f"Status{call.status}", MetricUnit.Count, 1))
        for name, unit, value in values:
            with single_metric(name=name, unit=unit, value=value, namespace=NAMESPACE) as metric:
                metric.add_dimension("operation", call.operation or "unknown")
