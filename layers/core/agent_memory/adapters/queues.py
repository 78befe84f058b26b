"""Which `JobQueue` the settings mean."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.settings import Settings

if TYPE_CHECKING:
    from agent_memory.ports import JobQueue


def queue_of(settings: Settings, new_id: Callable[[], str]) -> JobQueue:
    """SQS where a table is named, else a file in the data folder, which is made."""
    if settings.table_name:
        from agent_memory.adapters.sqs_queue import SqsQueue, make_client

        urls = {
            "extraction": settings.extraction_queue_url,
            "maintenance": settings.maintenance_queue_url,
            "index": settings.index_queue_url,
        }
        return SqsQueue(make_client(endpoint_url=settings.aws_endpoint_url or None), urls)
    from agent_memory.adapters.sqlite_queue import SqliteQueue

    folder = Path(settings.data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    return SqliteQueue(
        folder / "jobs.sqlite3",
        now=time.time,
        new_id=new_id,
        visibility_seconds=settings.lease_seconds,
        max_attempts=settings.max_attempts,
    )
