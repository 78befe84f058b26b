"""template.yaml against the code that it deploys."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from agent_memory.http_body import body_bytes, json_object, parsed
from agent_memory.jobs import QUEUE_OF_KIND, decode
from agent_memory.local.functions import load_handler
from agent_memory.settings import Settings
from agent_memory.signin.authenticate import call_of
from agent_memory.signin.presented import credentials_of
from tests.sam.stack_template import ROOT, Template, read_template

FUNCTIONS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/app.py"))
WORKERS = {"extraction_worker": "Extraction", "maintenance_worker": "Maintenance", "index_worker": "Index"}
EMBEDDING = {"add_memories", "search_memories", "memories", "transfer", "extraction_worker"}
ONE_CPU_MB = 1769
UNKNOWN = "Unknown"
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
    events = events_of(template, function, "HttpApi")
    routes = {(each["Method"], each["Path"]) for name, each in events.items() if name != UNKNOWN}
    handler = load_handler(function)
    operations, pages = getattr(handler, "operations", {}), getattr(handler, "pages", ())
    assert routes == {("POST", f"/{name}") for name in operations} | {("GET", f"/{name}") for name in pages}


def test_whatever_has_no_route_gets_an_error_of_ours(template):
    """One function takes the rest: an official client can't read API Gateway's own errors."""
    (function,) = (name for name in FUNCTIONS if UNKNOWN in events_of(template, name, "HttpApi"))
    assert not {"Path", "Method"} & set(events_of(template, function, "HttpApi")[UNKNOWN])
    assert load_handler(function).operations


@pytest.mark.parametrize("function", FUNCTIONS)
def test_environment_variables_are_settings(template, function):
    """A misspelt variable would be ignored in silence."""
    known = {f"AGENT_MEMORY_{field.name.upper()}" for field in fields(Settings)}
    assert set(template.environment(function)) <= known
    Settings.from_env(template.environment(function))


def test_only_functions_that_embed_carry_the_model(template):
    """The model layer where texts are embedded; a whole CPU there and where indexes are stored, nowhere else."""
    functions = template.functions()
    assert {name for name, each in functions.items() if {"Ref": "ModelsLayer"} in each["Layers"]} == EMBEDDING
    large = {name for name, each in functions.items() if each["MemorySize"] >= ONE_CPU_MB}
    assert large == EMBEDDING | {"index_worker"}


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


def test_the_bucket_is_private_and_encrypted(template):
    """Nothing public, nothing in plain, nothing but TLS; functions that have a use for it know its name."""
    (bucket,) = template.of_type("AWS::S3::Bucket").values()
    (policy,) = template.of_type("AWS::S3::BucketPolicy").values()
    (default,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    (denied,) = policy["PolicyDocument"]["Statement"]
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(bucket["PublicAccessBlockConfiguration"]) == 4
    assert default["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"
    assert bucket["OwnershipControls"]["Rules"] == [{"ObjectOwnership": "BucketOwnerEnforced"}]
    assert (denied["Effect"], denied["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})
    knowing = {name for name in FUNCTIONS if template.environment(name).get("AGENT_MEMORY_SNAPSHOT_BUCKET")}
    assert knowing == {name for name in FUNCTIONS if "s3:" in str(template.statements(name))}


def test_nothing_limits_how_many_indexers_there_are(template):
    """Reserved concurrency would be taken from the rest of the account; jobs of a tenant wait for each other anyway."""
    assert not any("ReservedConcurrentExecutions" in each for each in template.functions().values())


@pytest.mark.parametrize("function", FUNCTIONS)
def test_logs_end_after_a_month(template, function):
    """Each function has a log group of its own with a retention; the role writes nowhere else."""
    logging = template.functions()[function]["LoggingConfig"]
    group = logging["LogGroup"]["Ref"]
    assert logging["LogFormat"] == "JSON"
    assert template.resolved(template.of_type("AWS::Logs::LogGroup")[group]["RetentionInDays"]) == 30
    assert template.statements(function)[0]["Resource"] == f"{group}.Arn"


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
        body = body_bytes(event, limit)
        assert parsed(model, json_object(body), event["headers"]["x-ots-instancename"])
        assert credentials_of(call_of(name, event["headers"], body, 0))
    else:
        assert event["detail-type"] == "Scheduled Event"


def test_every_event_has_a_function():
    """No event is left over."""
    assert sorted(path.stem for path in Path(ROOT / "events").glob("*.json")) == FUNCTIONS
