"""Who may do what in a deployed stack: permissions of the functions, and the keys of their callers."""

from __future__ import annotations

import json

import pytest

from agent_memory.adapters.kms_box import PURPOSE
from agent_memory.local.functions import load_handler
from agent_memory.settings import Settings
from agent_memory.timeline_keys import calls_partition, timelines
from tests.sam.aws_calls import LEADING_KEYS, Use
from tests.sam.permissions import allows, listed
from tests.sam.stack_template import ROOT, Template, read_template

FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))
EMBEDDING = {"add_memories", "search_memories", "memories", "transfer", "extraction_worker"}
SIGNING_IN = {"AGENT_MEMORY_SIGN_IN", "AGENT_MEMORY_KMS_KEY_ID", "AGENT_MEMORY_AUDIT_DAYS"}
UID = "store_0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.fixture(scope="module")
def template() -> Template:
    return read_template()


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("model", ["", "amazon.titan-embed-text-v2:0"])
def test_permissions_name_what_they_allow(function, model):
    """No wildcard but for the objects of one bucket; Bedrock only where texts are embedded by a model of it."""
    template = read_template(parameters={"EmbedderModel": model})
    statements = template.statements(function)
    named = json.dumps([[each["Action"], each["Resource"]] for each in statements])
    assert "*" not in named.replace("Snapshots.Arn/*", "")
    actions = [action for each in statements for action in listed(each["Action"])]
    assert ("bedrock:InvokeModel" in actions) == (bool(model) and function in EMBEDDING)
    assert "dynamodb:Scan" not in actions


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("model", ["", "cohere.rerank-v3-5:0"])
def test_only_searches_may_rerank(function, model):
    """With the one model that is named; AWS lets nobody name a resource for Rerank itself."""
    template = read_template(parameters={"RerankerModel": model})
    statements = [each for each in template.statements(function) if "bedrock" in json.dumps(each["Action"])]
    granted = {(each["Action"], str(each["Resource"]).rpartition("::")[2]) for each in statements}
    wanted = {("bedrock:InvokeModel", f"foundation-model/{model}"), ("bedrock:Rerank", "*")}
    reranks = bool(model) and function == "search_memories"
    assert granted == (wanted if reranks else set())
    settings = Settings.from_env(template.environment(function))
    assert (settings.reranker, settings.reranker_model) == (("bedrock", model) if reranks else ("local", ""))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_operation_wants_a_key(template, function):
    """Functions with operations sign callers in, open secrets and keep records; others do none of that."""
    has_operations = bool(getattr(load_handler(function), "operations", {}))
    environment, statements = template.environment(function), template.statements(function)
    opening = Use("kms:Decrypt", "Key.Arn", {"kms:EncryptionContext:purpose": frozenset({PURPOSE})})
    assert (SIGNING_IN & set(environment)) == (SIGNING_IN if has_operations else set())
    assert (Settings.from_env(environment).sign_in == "required") is has_operations
    assert any(allows(each, opening) for each in statements) is has_operations
    assert not any(allows(each, Use("kms:Decrypt", "Key.Arn")) for each in statements)


def test_who_only_reads_may_write_records_of_calls_and_nothing_else(template):
    """The partitions of the audit and no other, whatever an application is called."""
    search = template.statements("search_memories")
    calls = [*timelines("calls", UID), calls_partition(UID, "shop", "u42"), calls_partition(UID, "a/b", "张\n三")]
    others = [UID, f"{UID}/tenant/calls/u42", f"{UID}/timeline/tasks/1", f"{UID}/run/calls/calls/a/r", "stores/default"]
    for partition in (*calls, *others):
        use = Use("dynamodb:BatchWriteItem", "Table.Arn", {LEADING_KEYS: frozenset({partition})})
        assert any(allows(each, use) for each in search) is (partition in calls), partition


SNAPSHOT_ACTIONS = {"s3:ListBucket", "s3:GetObject", "s3:PutObject", "s3:DeleteObject"}
READS, REMOVES = {"s3:GetObject"}, {"s3:ListBucket", "s3:DeleteObject"}
OF_SNAPSHOTS = {
    "search_memories": READS,
    "add_memories": READS,
    "extraction_worker": READS,
    "memories": READS,
    "deletion": REMOVES,
    "maintenance_worker": REMOVES,
    "index_worker": SNAPSHOT_ACTIONS,
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_stored_indexes_are_read_by_searches_and_settlement_removed_by_purges_and_written_by_one(template, function):
    """Each action on the bucket or on its objects, as it must be; nobody else has any."""
    statements = template.statements(function)
    places = {each: "Snapshots.Arn" + ("" if each == "s3:ListBucket" else "/*") for each in SNAPSHOT_ACTIONS}
    uses = {action: Use(action, place) for action, place in places.items()}
    granted = {action for action, use in uses.items() if any(allows(each, use) for each in statements)}
    assert granted == OF_SNAPSHOTS.get(function, set())
    assert {each for each in _actions(statements) if each.startswith("s3:")} == granted


def test_who_writes_memories_may_ask_for_a_snapshot(template):
    """Wherever the change log of a tenant grows."""
    ask = Use("sqs:SendMessage", "IndexQueue.Arn")
    asking = {name for name in FUNCTIONS if any(allows(each, ask) for each in template.statements(name))}
    assert asking == {name for name in FUNCTIONS if "AGENT_MEMORY_INDEX_QUEUE_URL" in template.environment(name)}
    assert asking == {"add_memories", "memories", "transfer", "deletion", "extraction_worker", "maintenance_worker"}


def test_the_indexer_deletes_nothing_but_from_a_tenant_s_own_partition(template):
    """Where the change log is; its other writes are under conditions."""
    statements = template.statements("index_worker")
    for partition, allowed in ((f"{UID}/tenant/shop/u42", True), (f"{UID}/run/shop/u42/a/r", False), (UID, False)):
        use = Use("dynamodb:BatchWriteItem", "Table.Arn", {LEADING_KEYS: frozenset({partition})})
        assert any(allows(each, use) for each in statements) is allowed
    assert "dynamodb:DeleteItem" not in _actions(statements)


def _actions(statements):
    return {action for each in statements for action in listed(each["Action"])}


def test_the_api_has_no_authorizer(template):
    """The official clients could not pass one."""
    (api,) = template.of_type("AWS::Serverless::HttpApi").values()
    assert "Auth" not in api
    events = [event["Properties"] for each in template.functions().values() for event in each["Events"].values()]
    assert not any("Auth" in each for each in events)
