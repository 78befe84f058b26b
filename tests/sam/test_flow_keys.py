"""Signing in to the functions: without a key, with a wrong one, with every kind of right one, through HTTP too."""

from __future__ import annotations

import json
import time
from urllib.request import urlopen

import pytest
import tablestore

from agent_memory.local.functions import load_handler
from agent_memory.times import format_ms
from tests.core.signed_calls import signed_headers
from tests.sam.conversation import ANYWHERE, STORE
from tests.sam.http_front import listening
from tests.sam.keys import keys_command
from tests.sam.stack_template import ROOT

OPERATIONS = {
    path.parent.name: next(iter(handler.operations))
    for path in sorted((ROOT / "functions").glob("*/app.py"))
    if getattr(handler := load_handler(path.parent.name), "operations", None)
}


def signed(stack, operation: str, body: str, region: str = "") -> dict[str, str]:
    """The headers of the access key's signature of this moment."""
    now = format_ms(time.time_ns() // 1_000_000)
    more = {"x_ots_date": now, "x_ots_instancename": "default"}
    return signed_headers(stack.keys.key_id, stack.keys.key_secret, body.encode(), operation, region, **more)


@pytest.mark.parametrize(("function", "operation"), OPERATIONS.items())
def test_without_a_key_nothing_happens(stack, function, operation):
    """The function refuses, and has not called AWS at all."""
    before = len(stack.fronts[function].calls)
    response = stack.respond(operation, json.dumps({}), {})
    assert (response["statusCode"], json.loads(response["body"])["code"]) == (401, "UNAUTHORIZED")
    assert stack.calls_since(function, before) == []


@pytest.mark.parametrize(("function", "operation"), OPERATIONS.items())
def test_a_function_asks_kms_once_for_a_secret(stack, function, operation):
    """The first signed call of an instance has KMS open the secret, the next one finds it in memory; both are right."""
    called = []
    for _ in range(2):
        before = len(stack.fronts[function].calls)
        response = stack.respond(operation, "{}", signed(stack, operation, "{}"))
        assert (response["statusCode"], json.loads(response["body"])["code"]) == (400, "INVALID_PARAMETER")
        assert response["headers"]["authorization"].startswith(f"OTS {stack.keys.key_id}:")
        called.append([call.operation for call in stack.calls_since(function, before)])
    assert called == [["BatchGetItem", "Decrypt"], ["BatchGetItem"]]


def test_a_wrong_signature_is_refused(stack):
    """Whoever changes the body on the way is not the caller."""
    response = stack.respond("GetMemoryStore", json.dumps(STORE), signed(stack, "GetMemoryStore", "{}"))
    assert (response["statusCode"], json.loads(response["body"])["code"]) == (403, "OTSAuthFailed")


@pytest.mark.parametrize("region", ["", "cn-hangzhou"])
def test_the_official_client_signs_and_checks(stack, extracted, region):
    """PyPI `tablestore`, version 2 and, with a region, version 4; it refuses answers whose signature is wrong."""
    with listening(stack) as endpoint:
        options = {"region": region} if region else {}
        client = tablestore.OTSClient(endpoint, stack.keys.key_id, stack.keys.key_secret, "default", **options)
        assert client.get_memory_store(STORE)["memoryStoreName"] == STORE["memoryStoreName"]
        answer = client.search_memories({**STORE, "query": "哪些海鲜不能吃？", "scope": ANYWHERE, "topK": 3})
    assert any("虾过敏" in result["unit"]["text"] for result in answer["results"])


def test_what_is_still_to_come_is_a_clear_error(stack):
    """Also for a client that checks the signature of errors; it needs a key, as everything does."""
    with listening(stack) as endpoint:
        client = tablestore.OTSClient(endpoint, stack.keys.key_id, stack.keys.key_secret, "default")
        with pytest.raises(tablestore.OTSServiceError) as refused:
            client.list_memory_dream_tasks(STORE)
    assert (refused.value.http_status, refused.value.code) == (400, "DREAMING_DISABLED")
    assert stack.respond("ListMemoryDreamTasks", "{}", {})["statusCode"] == 401


def test_the_document_and_its_page_are_open(stack):
    """GET /openapi.json and GET /docs, without a key and without a call to AWS."""
    with listening(stack) as endpoint:
        with urlopen(f"{endpoint}/openapi.json") as response:
            paths = json.load(response)["paths"]
        with urlopen(f"{endpoint}/docs") as response:
            page = response.read().decode()
    assert set(OPERATIONS.values()) <= {path.removeprefix("/") for path in paths}
    assert page.startswith("<!doctype html>")
    assert stack.fronts["docs"].calls == []


def test_a_key_takes_two_permissions_to_make(stack):
    """Writing to the table and, for an access key, encrypting under its own name."""
    actions = {use.action for call in stack.keys.front.calls for use in call.uses}
    assert actions == {"dynamodb:PutItem", "kms:Encrypt"}


def test_a_disabled_key_is_refused_at_once(stack):
    """By a function that served it a moment ago."""
    template, front = stack.template, stack.keys.front
    made = json.loads(keys_command(template, front, "create", "--type", "api-key", "--read-only", "--json"))
    headers = {"x-ots-apikey": made["apiKey"]}
    assert stack.respond("ListMemoryStores", "{}", headers)["statusCode"] == 200
    assert stack.respond("CreateMemoryStore", json.dumps({"memoryStoreName": "other"}), headers)["statusCode"] == 403
    keys_command(template, front, "disable", made["keyId"])
    assert stack.respond("ListMemoryStores", "{}", headers)["statusCode"] == 403
