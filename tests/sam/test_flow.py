"""The whole path from the build output, under Lambda's runtime, on emulated services; the tests run in this order."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from agent_memory.jobs import encode
from agent_memory.ports import Job, Put
from agent_memory.records import outbox_item
from tests.sam.aws_front import Call, cost_line
from tests.sam.conversation import QUESTIONS, SAID
from tests.sam.stack import Stack

STORE = {"memoryStoreName": "shop_mem"}
SCOPE = {"appId": "shop", "tenantId": "u42", "agentId": "bot", "runId": "s1"}
ANYWHERE = {**SCOPE, "agentId": "*", "runId": "*"}
LONG_AGO = 1_000_000_000_000  # 2001


@pytest.fixture(scope="module")
def added(stack: Stack) -> dict[str, Any]:
    """The answer to AddMemories of twenty messages, in a store that was made for them."""
    stack.ok("CreateMemoryStore", STORE)
    messages = [
        {"role": "user" if at % 2 == 0 else "assistant", "content": text, "timestamp": f"2026-11-30T10:{at:02d}:00Z"}
        for at, text in enumerate(SAID)
    ]
    return stack.ok("AddMemories", {**STORE, "scope": SCOPE, "messages": messages})


@pytest.fixture(scope="module")
def extracted(stack: Stack, added: dict[str, Any]) -> dict[str, Any]:
    """The task of those messages after the worker had its job."""
    assert stack.waiting("ExtractionQueue") == 1
    assert stack.deliver("ExtractionQueue", "extraction_worker") == []
    assert stack.waiting("ExtractionQueue") == 0
    return stack.ok("GetMemoryTask", {**STORE, "requestId": added["requestId"]})["task"]


def test_stores_can_be_shown_changed_and_listed(stack, added):
    """The other operations on stores."""
    assert stack.ok("GetMemoryStore", STORE)["memoryStoreName"] == "shop_mem"
    assert stack.ok("UpdateMemoryStore", {**STORE, "description": "客户"})["description"] == "客户"
    assert [store["description"] for store in stack.ok("ListMemoryStores", {})["stores"]] == ["客户"]


def test_a_message_is_durable_before_it_is_extracted(stack, added):
    """AddMemories answers with a queued task, and the conversation can be read already."""
    assert (added["status"], added["acceptedMessages"]) == ("accepted", 20)
    listed = stack.ok("ListMemoryStoreMessages", {**STORE, "scope": SCOPE, "limit": 500})["session"]["messages"]
    assert [message["content"] for message in listed] == SAID


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
    """A job that is durable, due for long and in no queue is sent, done, and off the list."""
    tick = {"detail-type": "Scheduled Event"}
    assert stack.functions["sweeper"].invoke(tick) == {"done": 0}
    job = Job(
        kind="purge_store", job_id="purge-gone", group="purge/gone", payload={"uid": "gone", "queuedMs": LONG_AGO}
    )
    stack.table().write([Put(outbox_item(job, LONG_AGO))])
    assert stack.functions["sweeper"].invoke(tick) == {"done": 1}
    assert stack.deliver("MaintenanceQueue", "maintenance_worker") == []
    assert not any(pk.startswith("outbox/") for pk, _ in stack.items())


def test_costs_are_printed(stack, extracted, capsys):
    """Calls to AWS and capacity units; a warm search asks for nothing but the head and the winners."""
    rows = [
        ("AddMemories, 20 messages, first call", _first_request(stack.fronts["add_memories"].calls)),
        ("extraction of 20 messages", _first_job(stack.fronts["extraction_worker"].calls)),
    ]
    for what in ("SearchMemories, warm, top 5", "SearchMemories, warm, top 5, evidence"):
        before = len(stack.fronts["search_memories"].calls)
        body = {**STORE, "query": "虾", "scope": ANYWHERE, "topK": 5, "includeEvidence": what.endswith("evidence")}
        stack.ok("SearchMemories", body)
        rows.append((what, stack.calls_since("search_memories", before)))
    before = len(stack.fronts["add_memories"].calls)
    more = [{"role": "user", "content": f"{text} ({number})"} for number, text in enumerate(SAID)]
    stack.ok("AddMemories", {**STORE, "scope": SCOPE, "messages": more})
    rows.insert(1, ("AddMemories, 20 messages, known conversation", stack.calls_since("add_memories", before)))
    title = f"{'':<46} calls   reads  writes   (calls to AWS, capacity units)"
    with capsys.disabled():
        sys.stdout.write("\n".join(["\n", title, *(cost_line(*row) for row in rows), ""]))
    warm = rows[3][1]
    assert [call.operation for call in warm] == ["BatchGetItem", "BatchGetItem"]


def test_a_deleted_store_leaves_nothing(stack, extracted):
    """Gone for every reader at once; after the maintenance worker the table holds only what belongs to no store."""
    stack.ok("DeleteMemoryStore", STORE)
    assert stack.call("SearchMemories", {**STORE, "query": "虾", "scope": ANYWHERE})[0] == 404
    while stack.waiting("ExtractionQueue"):
        assert stack.deliver("ExtractionQueue", "extraction_worker") == []
    assert stack.deliver("MaintenanceQueue", "maintenance_worker") == []
    assert stack.items() == [("system", "paging-key")]


def test_functions_have_the_permissions_that_they_use_and_no_others(stack):
    """What each function called in all the tests above, against its role; `unused` is what no test provokes."""
    unused = {
        "list_memory_store_scopes": {"dynamodb:PutItem"},  # the key of page tokens, made by `messages` here
        "maintenance_worker": {"sqs:SendMessage"},  # a store of more than 20,000 records
        "sweeper": {"dynamodb:BatchGetItem", "dynamodb:DeleteItem"},  # a task given up after eight sends
    }
    polling = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"}  # the event source mapping's
    for name, front in stack.fronts.items():
        used = {action for call in front.calls for action in call.actions}
        actions = [each["Action"] for each in stack.template.statements(name)[1:]]
        allowed = {action for each in actions for action in ([each] if isinstance(each, str) else each)}
        assert used == allowed - polling - unused.get(name, set()), name


def _job_of_a_task_that_is_gone() -> str:
    payload = {"uid": "store_gone", "instance": "default", "store": "gone", "scope": SCOPE, "requestId": "0" * 32}
    return encode(Job(kind="extract", job_id="0" * 32, group="fine", payload={**payload, "queuedMs": LONG_AGO}))


def _first_request(calls: list[Call]) -> list[Call]:
    """Up to the message to the queue."""
    end = next(at for at, call in enumerate(calls) if call.service == "sqs")
    return calls[: end + 1]


def _first_job(calls: list[Call]) -> list[Call]:
    """Up to the transaction that ends the task."""
    end = next(at for at, call in enumerate(calls) if call.operation == "TransactWriteItems")
    return calls[: end + 1]
