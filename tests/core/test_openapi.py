"""The OpenAPI document against the operations that are served and the models that read their requests."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError
from pydantic.alias_generators import to_snake

from agent_memory.http import STATUS_OF_CODE
from agent_memory.invalid import first_problem
from agent_memory.local.functions import load_routes
from agent_memory.openapi.answers.table import ANSWERS
from agent_memory.openapi.document import document
from agent_memory.openapi.operations import operations
from agent_memory.openapi.schemas import or_null
from agent_memory.requests.fields import INSTANCE_HEADER, MAX_MESSAGES, MAX_QUERY, Request

OPERATIONS = operations()
NAMES = sorted(OPERATIONS)
PATTERN_OF_STORE_NAMES = "^[A-Za-z0-9_]{1,32}$"


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    return document()


def post(shown, name) -> dict[str, Any]:
    found: dict[str, Any] = shown["paths"][f"/{name}"]["post"]
    return found


def request_schema(shown, name) -> dict[str, Any]:
    reference = post(shown, name)["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    found: dict[str, Any] = shown["components"]["schemas"][reference.rpartition("/")[2]]
    return found


def example(shown, name) -> dict[str, Any]:
    found: dict[str, Any] = post(shown, name)["requestBody"]["content"]["application/json"]["example"]
    return found


def problem(model: type[Request], body: dict[str, Any]) -> tuple[str, str] | None:
    """What the service has against a body."""
    try:
        model.model_validate({**body, INSTANCE_HEADER: "default"}, by_alias=True, by_name=False)
    except ValidationError as error:
        return first_problem(error)
    return None


def every(value, key):
    """All that stands under the key, at any depth."""
    if isinstance(value, dict):
        yield from (found for name, each in value.items() for found in every(each, key))
        if key in value:
            yield value[key]
    elif isinstance(value, list):
        yield from (found for each in value for found in every(each, key))


def test_the_operations_are_those_that_are_served():
    """A function's operation is found by its name: its use case and its request are those of the function."""
    served = {name: handler.operations[name] for name, handler in load_routes().items()}
    assert {each.name: (each.request, each.use_case) for each in OPERATIONS.values()} == served


def test_every_operation_has_a_path(shown):
    """POST /Name and nothing else, under an id of its own."""
    assert sorted(shown["paths"]) == [f"/{name}" for name in NAMES]
    assert all(list(path) == ["post"] for path in shown["paths"].values())
    assert [post(shown, name)["operationId"] for name in NAMES] == NAMES


def test_the_document_is_json_and_its_references_lead_somewhere(shown):
    """OpenAPI 3.1 whose schemas are JSON Schemas."""
    assert shown["openapi"].startswith("3.1.")
    assert json.loads(json.dumps(shown)) == shown
    for reference in every(shown, "$ref"):
        place = shown
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]
    for schema in [*shown["components"]["schemas"].values(), *every(shown["components"]["responses"], "schema")]:
        Draft202012Validator.check_schema(schema)


def test_all_components_are_used(shown):
    """No schema is left over from an operation that has gone."""
    used = {reference.rpartition("/")[2] for reference in every(shown, "$ref")}
    own = {name for kind in ("schemas", "parameters", "headers") for name in shown["components"][kind]}
    assert own <= used
    assert all(name.isalnum() for name in own), "two types of one name get long names"


def test_every_listed_answer_belongs_to_an_operation():
    """The table of answers names operations."""
    assert set(ANSWERS) <= set(NAMES)


def test_the_instance_is_a_header_and_no_field(shown):
    """The alias that carries it into the model is not shown."""
    assert INSTANCE_HEADER not in {name for each in every(shown, "properties") for name in each}
    (reference,) = {each["$ref"] for name in NAMES for each in post(shown, name)["parameters"]}
    parameter = shown["components"]["parameters"][reference.rpartition("/")[2]]
    assert (parameter["in"], parameter["name"], parameter["schema"]["maxLength"]) == ("header", INSTANCE_HEADER, 64)


def test_fields_are_shown_as_on_the_wire_with_their_limits(shown):
    """Names in camelCase; patterns, lengths, ranges and defaults."""
    search = request_schema(shown, "SearchMemories")["properties"]
    assert search["memoryStoreName"] == {"type": "string", "pattern": PATTERN_OF_STORE_NAMES}
    assert (search["query"]["maxLength"], search["query"]["pattern"]) == (MAX_QUERY, r"\S")
    assert search["topK"] == {"type": ["integer", "null"], "minimum": 0, "maximum": 50, "default": 10}
    add = request_schema(shown, "AddMemories")
    assert add["properties"]["messages"]["maxItems"] == MAX_MESSAGES
    assert add["properties"]["metadata"]["maxProperties"] == 16
    assert add["required"] == ["memoryStoreName", "scope"]
    assert add["additionalProperties"] is False
    levels = shown["components"]["schemas"]["Scope"]["properties"]
    assert (levels["appId"]["minLength"], levels["appId"]["maxLength"]) == (1, 128)
    assert levels["runId"]["default"] == "__default__"


@pytest.mark.parametrize("name", NAMES)
def test_words_use_the_names_of_the_wire(shown, name):
    """No `snake_case` name of a field that clients know in camelCase."""
    properties = request_schema(shown, name)["properties"]
    inside_python = {f"`{to_snake(each)}`" for each in properties if to_snake(each) != each}
    words = post(shown, name)["description"]
    assert words
    assert not [each for each in inside_python if each in words]


@pytest.mark.parametrize("name", NAMES)
def test_the_example_is_a_body_that_the_service_takes(shown, name):
    """By the model and by the schema."""
    body = example(shown, name)
    assert problem(OPERATIONS[name].request, body) is None
    schema = {**request_schema(shown, name), "components": shown["components"]}
    jsonschema.validate(body, schema, cls=Draft202012Validator)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_required_must_be_there(shown, name):
    """And only that: the service says of each other field nothing when it is absent, and the same when it is null."""
    schema, model, body = request_schema(shown, name), OPERATIONS[name].request, example(shown, name)
    for field in schema["properties"]:
        without = {key: value for key, value in body.items() if key != field}
        if field in schema.get("required", ()):
            assert problem(model, without) == (field, "is required")
        else:
            assert problem(model, {**body, field: None}) == problem(model, without), field


@pytest.mark.parametrize("name", NAMES)
def test_null_is_shown_where_it_may_stand(shown, name):
    """On every field that is not required, and on no other."""
    schema = request_schema(shown, name)
    validator = Draft202012Validator({**schema, "components": shown["components"]})
    for field, of_field in schema["properties"].items():
        takes_null = validator.evolve(schema={**of_field, "components": shown["components"]}).is_valid(None)
        assert takes_null == (field not in schema.get("required", ())), field


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("AddMemories", {405}),
        ("SearchMemories", {405, 409}),
        ("CreateMemoryStore", {404, 405}),
        ("ListMemoryStores", {404, 405, 409}),
    ],
)
def test_operations_name_the_statuses_they_can_answer(shown, name, missing):
    """Reads conflict with nothing, and what needs no store misses none."""
    expected = set(STATUS_OF_CODE.values()) - missing
    assert {int(status) for status in post(shown, name)["responses"]} == expected | {200}


def test_every_code_is_listed_with_its_meaning(shown):
    """Under its status, in the error body and in words."""
    responses = shown["components"]["responses"]
    for code, status in STATUS_OF_CODE.items():
        refusal = responses[f"Status{status}"]
        schema = refusal["content"]["application/json"]["schema"]
        assert code in schema["properties"]["code"]["enum"]
        assert re.search(rf"`{code}`: \w+", refusal["description"])


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"type": "string", "maxLength": 2}, {"type": ["string", "null"], "maxLength": 2}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        (
            {"type": "string", "enum": ["a"], "default": "a"},
            {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}], "default": "a"},
        ),
        ({"$ref": "#/x", "description": "y"}, {"anyOf": [{"$ref": "#/x"}, {"type": "null"}], "description": "y"}),
        (
            {"anyOf": [{"$ref": "#/x"}, {"type": "null"}], "default": None},
            {"anyOf": [{"$ref": "#/x"}, {"type": "null"}]},
        ),
    ],
)
def test_null_is_added_once(given, shown):
    """To the type where there is one, beside the schema where not."""
    assert or_null(given) == shown
