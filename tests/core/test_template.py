"""template.yaml against the code that it deploys."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from agent_memory import http
from agent_memory.adapters.kms_box import PURPOSE
from agent_memory.jobs import QUEUE_OF_KIND, decode
from agent_memory.local.functions import load_handler
from agent_memory.settings import Settings
from agent_memory.signin.authenticate import call_of
from agent_memory.signin.presented import credentials_of
from agent_memory.timeline_keys import calls_partition, timelines
from tests.sam.aws_calls import LEADING_KEYS, Use
from tests.sam.permissions import allows, listed
from tests.sam.stack_template import ROOT, Template, read_template

FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))
WORKERS = {"extraction_worker": "Extraction", "maintenance_worker": "Maintenance"}
EMBEDDING = {"add_memories", "search_memories", "memories", "transfer", "extraction_worker"}
SIGNING_IN = {"AGENT_MEMORY_SIGN_IN", "AGENT_MEMORY_KMS_KEY_ID", "AGENT_MEMORY_AUDIT_DAYS"}
UID = "store_0f8fad5b-d9cb-469f-a165-70867728950e"
ONE_CPU_MB = 1769
API_LIMIT_SECONDS = 30


@pytest.fixture(scope="module")
def template() -> Template:
    return read_template()


def events_of(template: Template, function: str, kind: str) -> dict[str, dict[str, Any]]:
    events = template.functions()[function]["Events"]
    return {name: event["Properties"] for name, event in events.items() if event["Type"] == kind}


def test_every_folder_is_one_function(template):
    """The functions of the template are the folders in functions/, each with its own code and its own role."""
    functions = template.functions()
    assert sorted(functions) == FUNCTIONS
    assert {name: each["CodeUri"] for name, each in functions.items()} == {n: f"functions/{n}/" for n in FUNCTIONS}
    assert len({each["Role"]["Fn::GetAtt"][0] for each in functions.values()}) == len(FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_routes_are_the_operations_of_the_handler(template, function):
    """POST /Name for each operation that the handler serves, GET /name for each page, and nothing else."""
    routes = {(each["Method"], each["Path"]) for each in events_of(template, function, "HttpApi").values()}
    handler = load_handler(function)
    operations, pages = getattr(handler, "operations", {}), getattr(handler, "pages", ())
    assert routes == {("POST", f"/{name}") for name in operations} | {("GET", f"/{name}") for name in pages}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_environment_variables_are_settings(template, function):
    """A misspelt variable would be ignored in silence."""
    known = {f"AGENT_MEMORY_{field.name.upper()}" for field in fields(Settings)}
    assert set(template.environment(function)) <= known
    Settings.from_env(template.environment(function))


def test_only_functions_that_embed_carry_the_model(template):
    """The model layer and a whole CPU where texts are embedded; neither where not."""
    functions = template.functions()
    assert {name for name, each in functions.items() if {"Ref": "ModelsLayer"} in each["Layers"]} == EMBEDDING
    assert {name for name, each in functions.items() if each["MemorySize"] >= ONE_CPU_MB} == EMBEDDING


def test_functions_behind_the_api_answer_before_it_gives_up(template):
    """An HTTP API waits 30 seconds."""
    for name in FUNCTIONS:
        if events_of(template, name, "HttpApi"):
            assert template.functions()[name]["Timeout"] < API_LIMIT_SECONDS


@pytest.mark.parametrize(("function", "queue"), WORKERS.items())
def test_queues_fit_their_workers(template, function, queue):
    """FIFO with FIFO dead letters, encrypted; hidden long enough; as many tries as the worker counts."""
    queues = template.of_type("AWS::SQS::Queue")
    own, dead = queues[f"{queue}Queue"], queues[f"{queue}DeadLetters"]
    assert own["FifoQueue"] is dead["FifoQueue"] is own["SqsManagedSseEnabled"] is dead["SqsManagedSseEnabled"] is True
    assert own["RedrivePolicy"]["maxReceiveCount"] == Settings().max_attempts
    assert own["RedrivePolicy"]["deadLetterTargetArn"] == {"Fn::GetAtt": [f"{queue}DeadLetters", "Arn"]}
    assert own["VisibilityTimeout"] >= 6 * template.functions()[function]["Timeout"]
    (source,) = events_of(template, function, "SQS").values()
    assert source["Queue"] == {"Fn::GetAtt": [f"{queue}Queue", "Arn"]}
    assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert queue.lower() in QUEUE_OF_KIND.values()


def test_a_lease_outlives_the_worker(template):
    """Else a second worker could take a task while the first is still at it."""
    environment = template.environment("extraction_worker")
    assert Settings.from_env(environment).lease_seconds >= template.functions()["extraction_worker"]["Timeout"]


def test_the_sweeper_leaves_time_for_a_retry(template):
    """It must not send a job again while the queue hides it for the first retry."""
    patience = Settings.from_env(template.environment("sweeper")).sweep_after_seconds
    extraction = template.of_type("AWS::SQS::Queue")["ExtractionQueue"]
    assert patience > 2 * extraction["VisibilityTimeout"]
    assert [each["Schedule"] for each in events_of(template, "sweeper", "Schedule").values()] == ["rate(1 minute)"]


def test_the_table_is_on_demand_and_is_kept(template):
    """Paid by use, restorable to any second of five weeks, encrypted, kept when the stack goes."""
    resource = template.body["Resources"]["Table"]
    table = resource["Properties"]
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert [key["AttributeName"] for key in table["KeySchema"]] == ["pk", "sk"]
    assert table["TimeToLiveSpecification"] == {"AttributeName": "ttl", "Enabled": True}
    assert table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] is True
    assert table["SSESpecification"]["SSEEnabled"] is True


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("model", ["", "amazon.titan-embed-text-v2:0"])
def test_permissions_name_what_they_allow(function, model):
    """No wildcard; Bedrock only for functions that embed, and only when a model of it is named."""
    template = read_template(parameters={"EmbedderModel": model})
    statements = template.statements(function)
    assert "*" not in json.dumps([[each["Action"], each["Resource"]] for each in statements])
    actions = [action for each in statements for action in listed(each["Action"])]
    assert ("bedrock:InvokeModel" in actions) == (bool(model) and function in EMBEDDING)
    assert "dynamodb:Scan" not in actions


@pytest.mark.parametrize("function", FUNCTIONS)
def test_logs_end_after_a_month(template, function):
    """Each function has a log group of its own with a retention; the role writes nowhere else."""
    logging = template.functions()[function]["LoggingConfig"]
    group = logging["LogGroup"]["Ref"]
    assert logging["LogFormat"] == "JSON"
    assert template.resolved(template.of_type("AWS::Logs::LogGroup")[group]["RetentionInDays"]) == 30
    assert template.statements(function)[0]["Resource"] == f"{group}.Arn"


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


def test_the_api_has_no_authorizer(template):
    """The official clients could not pass one."""
    (api,) = template.of_type("AWS::Serverless::HttpApi").values()
    assert "Auth" not in api
    events = [each for function in FUNCTIONS for each in events_of(template, function, "HttpApi").values()]
    assert not any("Auth" in each for each in events)


def test_the_key_is_kept_with_the_table(template):
    """Without it no access key of the table would work again."""
    resource = template.body["Resources"]["Key"]
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert resource["Properties"]["EnableKeyRotation"] is True


def test_records_of_calls_last_as_long_as_the_parameter_says():
    """AuditDays, by default the settings' own default."""
    assert Settings.from_env(read_template().environment("requests")).audit_days == Settings().audit_days
    template = read_template(parameters={"AuditDays": 0})
    assert Settings.from_env(template.environment("requests")).audit_days == 0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_event_of_a_function_is_one_that_it_takes(function):
    """events/<function>.json is what AWS sends: a valid request with a key, jobs of the worker's queue, or a tick."""
    event = json.loads((ROOT / "events" / f"{function}.json").read_text(encoding="utf-8"))
    if "Records" in event:
        kinds = {decode(record["body"]).kind for record in event["Records"]}
        assert {QUEUE_OF_KIND[kind] for kind in kinds} == {WORKERS[function].lower()}
    elif event.get("routeKey", "").startswith("GET "):
        assert load_handler(function)(event, None)["statusCode"] == 200
    elif event.get("version") == "2.0":
        name, limit = event["rawPath"].removeprefix("/"), Settings().max_body_bytes
        model, _ = load_handler(function).operations[name]
        assert http._parse(model, http._json_body(event, limit), event["headers"]["x-ots-instancename"])
        assert credentials_of(call_of(name, event["headers"], http._body_bytes(event, limit), 0))
    else:
        assert event["detail-type"] == "Scheduled Event"


def test_every_event_has_a_function():
    """No event is left over."""
    assert sorted(path.stem for path in Path(ROOT / "events").glob("*.json")) == FUNCTIONS
