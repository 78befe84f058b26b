"""From an SQS event to a use case: partial batch failures, order kept within a group.

A worker may be handed a job twice, late, or after its store is gone; each use case behind it is idempotent. An error
that is not retryable ends the job at once, since its task already says why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from agent_memory.errors import AgentMemoryError
from agent_memory.jobs import decode
from agent_memory.ports import Job
from agent_memory.services import Services, current_services

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

JobCall = Callable[[Job, Services], None]
Handler = Callable[[dict[str, Any], Any], dict[str, Any]]


def worker(**calls: JobCall) -> Handler:
    """A Lambda handler for SQS events: the use case by job kind gets (job, services).

    Answers `batchItemFailures`; after a failure the later jobs of the same group fail too, which keeps their order.
    """

    def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
        from aws_lambda_powertools.utilities.batch import SqsFifoPartialProcessor, process_partial_response

        services = current_services()

        def run(record: SQSRecord) -> None:
            _run(record.body, calls, services)

        processor = SqsFifoPartialProcessor(skip_group_on_error=True)
        processor.raise_on_entire_batch_failure = False  # a batch that failed whole is answered like one in part
        answer = process_partial_response(event=event, record_handler=run, processor=processor, context=context)
        return cast("dict[str, Any]", answer)

    return handler


def _run(body: str, calls: dict[str, JobCall], services: Services) -> None:
    job = decode(body)
    logger = services.logger
    try:
        calls[job.kind](job, services)
    except AgentMemoryError as error:
        logger.warning("job failed", extra={"job": job.job_id, "code": error.code})
        if error.retryable:
            raise


def scheduled(call: Callable[[Services], int]) -> Handler:
    """A Lambda handler for a schedule; answers how much the use case did."""

    def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:  # noqa: ARG001 - the shape of a handler
        return {"done": call(current_services())}

    return handler
