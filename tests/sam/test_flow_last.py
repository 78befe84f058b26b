"""What it cost, what is left when all is deleted, and which permissions all of test_flow*.py took."""

from __future__ import annotations

import sys
from typing import Any

from tests.sam.aws_calls import Call
from tests.sam.conversation import ANYWHERE, SCOPE, STORE, turns
from tests.sam.costs import TITLE, cost_line
from tests.sam.permissions import allows, unused_actions
from tests.sam.stack import Stack

POLLING = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"}  # the event source mapping's
PAGING = {"dynamodb:PutItem"}  # the key of page tokens, made by the search here
UNUSED = {
    "extraction_worker": POLLING,
    "maintenance_worker": POLLING,
    "index_worker": POLLING,
    "messages": PAGING,
    "list_memory_store_scopes": PAGING,
    "requests": PAGING,
}


def cost_of(stack: Stack, operation: str, body: dict[str, Any]) -> list[Call]:
    """The calls to AWS of one call."""
    function = stack.route(operation)
    before = len(stack.fronts[function].calls)
    stack.ok(operation, body)
    return stack.calls_since(function, before)


def test_costs_are_printed(stack, extracted, capsys):
    """A warm search reads the caller's key, the head of the tenant and the winners, and writes the call's record."""
    more = {**STORE, "scope": SCOPE, "messages": turns(" (again)")}
    query = {**STORE, "query": "虾", "scope": ANYWHERE, "topK": 5}
    rows = [
        ("AddMemories, 20 messages, first call", _until(stack, "add_memories", "BatchWriteItem")),
        ("AddMemories, 20 messages, known conversation", cost_of(stack, "AddMemories", more)),
        ("extraction of 20 messages", _until(stack, "extraction_worker", "TransactWriteItems")),
    ]
    warm = {
        "SearchMemories, warm, top 5": ("SearchMemories", query),
        "SearchMemories, warm, top 5, evidence": ("SearchMemories", {**query, "includeEvidence": True}),
        "GetMemoryTask": ("GetMemoryTask", {**STORE, "requestId": extracted["requestId"]}),
        "ListMemories, warm, 50": ("ListMemories", {**STORE, "scope": ANYWHERE}),
        "ListMemoryStoreMessages, 40": ("ListMemoryStoreMessages", {**STORE, "scope": SCOPE}),
    }
    for what, call in warm.items():
        cost_of(stack, *call)
        rows.append((what, cost_of(stack, *call)))
    with capsys.disabled():
        sys.stdout.write("\n".join(["\n", TITLE, *(cost_line(*row) for row in rows), ""]))
    searched = dict(rows)["SearchMemories, warm, top 5"]
    assert [call.operation for call in searched] == ["BatchGetItem", "BatchGetItem", "BatchGetItem", "BatchWriteItem"]
    (key,) = searched[0].partitions
    assert (key.partition("/")[0], searched[0].read_units) == ("key", 1.0)


def test_a_deleted_store_leaves_nothing(stack, extracted):
    """Gone for every reader at once; after the maintenance worker the table holds only what belongs to no store."""
    stores = [store["memoryStoreName"] for store in stack.ok("ListMemoryStores", {})["stores"]]
    for name in stores:
        stack.ok("DeleteMemoryStore", {"memoryStoreName": name})
    assert stack.call("SearchMemories", {**STORE, "query": "虾", "scope": ANYWHERE})[0] == 404
    stack.drain()
    assert [key for key in stack.items() if not key[0].startswith("key")] == [("system", "paging-key")]
    assert stack.objects() == []


def test_functions_have_the_permissions_that_they_use_and_no_others(stack):
    """What each function called in all the tests above, against the statements of its role, one by one."""
    for name, front in stack.fronts.items():
        uses = {
            (use.action, use.resource, *sorted(use.context.items())): use for call in front.calls for use in call.uses
        }
        statements = stack.template.statements(name)[1:]
        denied = [use for use in uses.values() if not any(allows(each, use) for each in statements)]
        assert denied == [], name
        assert unused_actions(statements, list(uses.values())) == UNUSED.get(name, set()), name


def _until(stack: Stack, function: str, operation: str) -> list[Call]:
    """The function's calls up to its first of the operation."""
    calls = stack.fronts[function].calls
    return calls[: next(at for at, call in enumerate(calls) if call.operation == operation) + 1]
