"""Jobs as queue text. Version 1 is the only one so far; a later version must still read what waits in a queue."""

from __future__ import annotations

import json
from typing import get_args

from agent_memory.ports import Job, JobKind

VERSION = 1
QUEUE_OF_KIND: dict[JobKind, str] = {
    "extract": "extraction",
    "purge_store": "maintenance",
    "purge_scope": "maintenance",
    "purge_messages": "maintenance",
    "snapshot": "index",
}


def encode(job: Job) -> str:
    """The job as queue text."""
    fields = {"version": VERSION, "kind": job.kind, "jobId": job.job_id, "group": job.group, "payload": job.payload}
    return json.dumps(fields, separators=(",", ":"))  # ASCII: a queue refuses some code points that a scope may have


def decode(body: str) -> Job:
    """The job of a queue text; raises ValueError for what this version did not write."""
    try:
        fields = json.loads(body)
        kind, job_id, group, payload = (fields[name] for name in ("kind", "jobId", "group", "payload"))
        known = type(fields["version"]) is int and fields["version"] == VERSION and kind in get_args(JobKind)
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("not a job") from error
    if not (known and isinstance(job_id, str) and isinstance(group, str) and isinstance(payload, dict)):
        raise ValueError("not a job of this version")
    return Job(kind=kind, job_id=job_id, group=group, payload=payload)
