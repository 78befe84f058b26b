"""Handing a job to the queue after its outbox entry is durable."""

from __future__ import annotations

from agent_memory.errors import ServerBusy, ServiceUnavailable
from agent_memory.ports import Job
from agent_memory.services import Services


def dispatch(job: Job, services: Services) -> None:
    """Queue the job; if the queue does not answer, the sweeper will find the job in the outbox."""
    try:
        services.queue.send(job)
    except (ServerBusy, ServiceUnavailable) as error:
        services.logger.warning("job waits for the sweeper", extra={"job": job.job_id, "code": error.code})
