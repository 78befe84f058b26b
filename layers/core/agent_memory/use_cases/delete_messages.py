"""DeleteMessages: messages of a conversation by id, and the memories that come from them alone."""

from __future__ import annotations

from typing import Any

from agent_memory import keys
from agent_memory.deletions import Deletion, deletion_item, deletion_job, new_deletion
from agent_memory.dispatch import dispatch
from agent_memory.errors import AgentMemoryError, ConditionFailed, ServerBusy
from agent_memory.ports import Check, Job, Put
from agent_memory.records import born_of, outbox_item
from agent_memory.requests.deletion import DeleteMessagesRequest
from agent_memory.scopes import ScopePattern
from agent_memory.services import Services
from agent_memory.store_access import TenantView, read_tenant
from agent_memory.use_cases.purge_messages import delete_logged, purge_memories

TRIES = 5
READS_AT_ONCE = 5_000  # memories that the call itself looks at; in a larger tenant the rest is a job


def delete_messages(request: DeleteMessagesRequest, services: Services) -> dict[str, Any]:
    """`deleted` counts the messages that are gone, `notFound` lists the other ids; never an error for either.

    `status` is completed once the memories are done, too. It is accepted where that goes on in the background, and
    then GetMemoryTask with `requestId` tells. The messages themselves are gone, and no evidence any more, in any case.
    """
    ids = list(dict.fromkeys(request.message_ids))
    answer = {"status": "completed", "deleted": 0, "notFound": ids, "scope": request.scope.to_json()}
    names = (request.instance, request.memory_store_name)
    for _ in range(TRIES):
        view = read_tenant(services.table, names, request.scope.levels[:2], services.uid_hints)
        found = _found(request, ids, view, services)
        answer = {**answer, "deleted": len(found), "notFound": [each for each in ids if each not in found]}
        if not found:
            return {**answer, "memoryStoreName": view.store.name}
        try:
            job = _record(request, list(found.values()), view, services)
        except ConditionFailed:
            continue
        delete_logged(job, services)
        status = "completed" if _settle(job, services) else "accepted"
        return {
            "requestId": job.payload["requestId"],
            **answer,
            "status": status,
            "memoryStoreName": view.store.name,
        }
    raise ServerBusy("others are writing to the same tenant; try again")


def _found(request: DeleteMessagesRequest, ids: list[str], view: TenantView, services: Services) -> dict[str, str]:
    """The sort key in the log of each message that is stored, by its id."""
    partition = keys.run_partition(view.store.uid, request.scope)
    marks = {each: keys.message_id(partition, keys.digest("id", each)) for each in ids}
    read = services.table.get(marks.values())
    stored = {each: read[key] for each, key in marks.items() if key in read}
    return {
        each: item.body["at"] for each, item in stored.items() if not view.visible.hides(request.scope, born_of(item))
    }


def _record(request: DeleteMessagesRequest, log_keys: list[str], view: TenantView, services: Services) -> Job:
    """Make the intent durable: from here on the messages will be deleted, whatever happens to this call."""
    now, scope = services.now_ms(), ScopePattern.model_validate(request.scope.to_json())
    deletion: Deletion = new_deletion("delete_messages", scope, now, services.new_id())
    job = deletion_job("purge_messages", view.store, deletion, logKeys=log_keys, cascade=request.cascade)
    services.table.write(
        [
            Check(keys.alive(view.store.uid), expect=view.store.life),
            Put(deletion_item(view.store.uid, deletion), expect=0),
            Put(outbox_item(job, now)),
        ]
    )
    return job


def _settle(job: Job, services: Services) -> bool:
    """Look for the memories now; False where the background goes on with it."""
    try:
        return purge_memories(job, services, READS_AT_ONCE)
    except AgentMemoryError as error:
        services.logger.warning("memories of deleted messages wait", extra={"job": job.job_id, "code": error.code})
        dispatch(job, services)
        return False
