"""Jobs as queue text. Version 1 is the only one so far; a later version must still read what waits in a queue."""

from __future__ import annotations

import json
from typing import get_args

from agent_memory.ports import Job, JobKind

VERSION = 1
QUEUE_OF_KIND: dict[JobKind, str] = {"extract": "extraction", "purge_store": "maintenance"}


def encode(job: Job) -> str:
    """The job as queue text."""
    fields = {"version": VERSION, "kind": job.kind, "jobId": job.job_id, "group": job.group, "payload": job.payload}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def decode(body: str) -> Job:
    """The job of a queue text; raises ValueError for what this version did not write."""
    fields = json.loads(body)
    if not isinstance(fields, dict) or fields.get("version") != VERSION or fields.get("kind") not in get_args(JobKind):
        raise ValueError("not a job of this version")
    return Job(kind=fields["kind"], job_id=fields["jobId"], group=fields["group"], payload=fields["payload"])
