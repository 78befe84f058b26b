"""From a message to its memory and back, from the build output, under Lambda's runtime, on emulated services.

The files test_flow*.py work on one stack, in the order of their names.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent_memory.jobs import decode, encode
from agent_memory.ports import Job, Put
from agent_memory.records import outbox_item
from agent_memory.use_cases.sweep_outbox import SENDS_BEFORE_RECONCILE
from tests.sam.conversation import ANYWHERE, QUESTIONS, SAID, SCOPE, STORE

LONG_AGO = 1_000_000_000_000  # 2001


def test_stores_can_be_shown_changed_and_listed(stack, added):
    """The other operations on stores."""
    assert stack.ok("GetMemoryStore", STORE)["memoryStoreName"] == "shop_mem"
    assert stack.ok("UpdateMemoryStore", {**STORE, "description": "客户"})["description"] == "客户"
    assert [store["description"] for store in stack.ok("ListMemoryStores", {})["stores"]] == ["客户"]


def test_a_message_is_durable_before_it_is_extracted(stack, added):
    """AddMemories answers with a queued task, and the conversation can be read already."""
    assert (added["status"], added["acceptedMessages"]) == ("accepted", 20)
    listed = stack.ok("ListMemoryStoreMessages", {**STORE, "scope": SCOPE, "limit": 500})["session"]["messages"]
    assert [message["content"] for message in reversed(listed)] == SAID


def test_the_worker_completes_the_task(extracted):
    """The job went through SQS into a worker; the task names the units."""
    assert extracted["status"] == "completed"
    assert len(extracted["derivedUnitIds"]) >= len(QUESTIONS)


@pytest.mark.parametrize(("question", "answer"), QUESTIONS.items())
def test_search_finds_the_turn(stack, extracted, question, answer):
    """By paraphrase in both languages and by exact id, among the first three."""
    results = stack.ok("SearchMemories", {**STORE, "query": question, "scope": ANYWHERE, "topK": 3})["results"]
    assert any(answer in result["unit"]["text"] for result in results), results


def test_the_conversation_is_in_the_directory(stack, extracted):
    """ListMemoryStoreScopes finds the scope that was written to."""
    assert stack.ok("ListMemoryStoreScopes", {**STORE, "scope": {}})["scopes"] == [SCOPE]


def test_pages_continue_in_another_function_instance(stack, extracted):
    """The key that seals page tokens comes from the table."""
    first = stack.ok("ListMemoryStoreMessages", {**STORE, "scope": SCOPE, "limit": 15})
    rest = stack.ok("ListMemoryStoreMessages", {**STORE, "scope": SCOPE, "nextToken": first["nextToken"]})
    assert len(first["session"]["messages"] + rest["session"]["messages"]) == 20


def test_sync_extracts_in_the_call(stack, extracted):
    """AddMemories embeds by itself; the job that was queued all the same finds nothing to do."""
    body = {**STORE, "scope": {**SCOPE, "runId": "s2"}, "text": "Tom's bicycle is green", "sync": True}
    assert stack.ok("AddMemories", body)["status"] == "completed"
    assert stack.deliver("ExtractionQueue", "extraction_worker") == []
    found = stack.ok("SearchMemories", {**STORE, "query": "colour of the bike", "scope": ANYWHERE, "topK": 3})[
        "results"
    ]
    assert any("green" in result["unit"]["text"] for result in found)


def test_errors_leave_the_functions_as_errors(stack, extracted):
    """A refusal is an answer with a status, not a failed function."""
    status, answer = stack.call("SearchMemories", {"memoryStoreName": "none", "query": "x", "scope": ANYWHERE})
    assert (status, answer["code"]) == (404, "NOT_FOUND")


def test_a_bad_job_fails_alone_and_ends_as_a_dead_letter(stack, extracted):
    """Partial batch failure: another conversation's job in the batch is done; the bad one goes after five tries."""
    url = stack.url("ExtractionQueue")
    for group, body in (("broken", "no job"), ("fine", _job_of_a_task_that_is_gone())):
        stack.sqs.send_message(QueueUrl=url, MessageBody=body, MessageGroupId=group, MessageDeduplicationId=group)
    assert stack.deliver("ExtractionQueue", "extraction_worker") == ["no job"]
    assert stack.waiting("ExtractionQueue") == 1
    for _ in range(4):
        assert stack.deliver("ExtractionQueue", "extraction_worker") == ["no job"]
    assert stack.receive("ExtractionQueue") == []
    assert [record["body"] for record in stack.receive("ExtractionDeadLetters")] == ["no job"]


def test_jobs_behind_a_failed_one_of_their_group_wait(stack, extracted):
    """The order within a conversation holds when its first job fails."""
    url = stack.url("ExtractionQueue")
    for number, body in enumerate(["still no job", _job_of_a_task_that_is_gone()]):
        stack.sqs.send_message(QueueUrl=url, MessageBody=body, MessageGroupId="g", MessageDeduplicationId=f"g{number}")
    records = stack.receive("ExtractionQueue")
    answer = stack.functions["extraction_worker"].invoke({"Records": records})
    assert len(records) == len(answer["batchItemFailures"]) == 2
    stack.sqs.purge_queue(QueueUrl=url)


def test_the_sweeper_queues_what_was_never_queued(stack, extracted):
    """A job that is durable, due for long and in no queue is sent and done; one that was sent eight times ends."""
    tick = {"detail-type": "Scheduled Event"}
    assert stack.functions["sweeper"].invoke(tick) == {"done": 0}
    payload = {"uid": "gone", "queuedMs": LONG_AGO}
    never_sent = outbox_item(Job("purge_store", "purge-gone", "purge/gone", payload), LONG_AGO)
    often_sent = outbox_item(decode(_job_of_a_task_that_is_gone()), LONG_AGO)
    often_sent = replace(often_sent, body={**often_sent.body, "sends": SENDS_BEFORE_RECONCILE})
    stack.table().write([Put(never_sent), Put(often_sent)])
    assert stack.functions["sweeper"].invoke(tick) == {"done": 1}
    assert stack.deliver("MaintenanceQueue", "maintenance_worker") == []
    assert not any(pk.startswith("outbox/") for pk, _ in stack.items())


def _job_of_a_task_that_is_gone() -> str:
    payload = {"uid": "store_gone", "instance": "default", "store": "gone", "scope": SCOPE, "requestId": "0" * 32}
    return encode(Job(kind="extract", job_id="0" * 32, group="fine", payload={**payload, "queuedMs": LONG_AGO}))
