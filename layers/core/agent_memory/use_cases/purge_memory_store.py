"""The purge job: removes everything below a deleted store, leaves first, a bounded amount per job.

Directory entries go after what they lead to, so a job that died half-way finds the rest when it runs again. The stored
indexes of all tenants go at the end: no record names them any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from agent_memory import keys
from agent_memory.deletions import deletions_partition
from agent_memory.directory import partition_keys
from agent_memory.dispatch import dispatch
from agent_memory.ports import Delete, Key
from agent_memory.retrieval.snapshots import store_folder
from agent_memory.scopes import Scope
from agent_memory.timeline import entry_keys

if TYPE_CHECKING:
    from agent_memory.ports import Job, WideTable
    from agent_memory.services import Services

PER_JOB = 20_000  # deletes of one job, well under the time that a Lambda has


def purge_memory_store(job: Job, services: Services) -> None:
    """Delete up to PER_JOB records; what is left becomes a further job, and the outbox entry goes with the last."""
    uid = job.payload["uid"]
    doomed = list(islice(_below(uid, services.table), PER_JOB))
    services.table.write_many(Delete(key) for key in doomed)
    if len(doomed) == PER_JOB:
        dispatch(replace(job, job_id=f"{job.job_id.partition('~')[0]}~{services.new_id()[:8]}"), services)
        return
    services.snapshots.delete(services.snapshots.names(store_folder(uid)))
    services.table.write([Delete(keys.outbox(f"purge-{uid}", job.payload["queuedMs"]))])


def _below(uid: str, table: WideTable) -> Iterator[Key]:
    yield from entry_keys(uid, table)
    for app_key in partition_keys(keys.app_entry(uid, "").pk, table):
        app = keys.decode_level(app_key.sk)
        for tenant_key in partition_keys(keys.tenant_entry(uid, app, "").pk, table):
            tenant = keys.decode_level(tenant_key.sk)
            yield from _tenant(uid, app, tenant, table)
            yield tenant_key
        yield app_key
    for pk in (deletions_partition(uid), *keys.state_partitions(uid)):
        yield from partition_keys(pk, table)


def _tenant(uid: str, app: str, tenant: str, table: WideTable) -> Iterator[Key]:
    for run_key in partition_keys(keys.run_entry(uid, Scope(app_id=app, tenant_id=tenant)).pk, table):
        agent, _, run = run_key.sk.partition("/")
        scope = Scope(app_id=app, tenant_id=tenant, agent_id=keys.decode_level(agent), run_id=keys.decode_level(run))
        yield from partition_keys(keys.run_partition(uid, scope), table)
        yield run_key
    yield from partition_keys(keys.tenant_partition(uid, app, tenant), table)
    yield keys.tenant_by_hash(uid, keys.tenant_hash(app, tenant), app, tenant)
