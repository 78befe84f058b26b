"""Requests of memory store management: fields, defaults, limits and the words of their errors."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from agent_memory.invalid import first_problem
from agent_memory.requests.fields import INSTANCE_HEADER, Request
from agent_memory.requests.stores import (
    CreateMemoryStoreRequest,
    ListMemoryStoresRequest,
    StoreRequest,
    UpdateMemoryStoreRequest,
)

NAMED = (CreateMemoryStoreRequest, StoreRequest, UpdateMemoryStoreRequest)
MEM = {"memoryStoreName": "mem"}


def refusal(model: type[Request], body: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as refused:
        model.model_validate(body)
    return " ".join(first_problem(refused.value))


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (
            CreateMemoryStoreRequest,
            """memoryStoreName description extractInstructions inputType outputTypes storageMode
            wikiReflectionEnabled defaultTtlSeconds tokenVectors redaction""",
        ),
        (StoreRequest, "memoryStoreName"),
        (ListMemoryStoresRequest, "limit nextToken"),
        (
            UpdateMemoryStoreRequest,
            """memoryStoreName description extractInstructions outputTypes wikiReflectionEnabled defaultTtlSeconds
            redaction""",
        ),
    ],
)
def test_the_fields_are_those_of_the_api(model: type[Request], names: str) -> None:
    """No more, no less, in camelCase, beside the instance from the header."""
    assert {field.alias for field in model.model_fields.values()} == {*names.split(), INSTANCE_HEADER}


@pytest.mark.parametrize("model", [*NAMED, ListMemoryStoresRequest])
@pytest.mark.parametrize("extra", ["instance", "memory_store_name", "Limit", "名字", "code"])
def test_an_unknown_field_is_named(model: type[Request], extra: str) -> None:
    """Python's own names are as unknown as misspelt ones."""
    body = {} if model is ListMemoryStoresRequest else MEM
    assert refusal(model, {**body, extra: "x"}) == f"{extra} is not a known field"


@pytest.mark.parametrize("model", NAMED)
@pytest.mark.parametrize("name", ["m", "0", "_", "Shop_Mem_01", "a" * 32])
def test_names_of_letters_digits_and_underscores(model: type[Request], name: str) -> None:
    """One to 32 of them; a digit may come first."""
    assert model.model_validate({"memoryStoreName": name}).model_dump()["memory_store_name"] == name


@pytest.mark.parametrize("model", NAMED)
@pytest.mark.parametrize("name", ["", "a" * 33, "a-b", "a b", "商店", "a\n", "a\x00", "a/b", "*", "é", "１", "\ud800"])
def test_other_names_are_refused(model: type[Request], name: str) -> None:
    """Also 33 characters, full-width digits and a line end behind a good name."""
    assert (
        refusal(model, {"memoryStoreName": name}) == "memoryStoreName must be 1 to 32 of the characters A-Z a-z 0-9 _"
    )


@pytest.mark.parametrize("model", NAMED)
def test_a_name_is_required_and_a_string(model: type[Request]) -> None:
    """Nothing is turned into text."""
    assert refusal(model, {}) == "memoryStoreName is required"
    for wrong in (1, True, ["mem"], {"name": "mem"}, None):
        assert refusal(model, {"memoryStoreName": wrong}) == "memoryStoreName must be a string"


def test_defaults_of_a_new_store() -> None:
    """Messages in, structured memories out; nothing else is set."""
    for body in (MEM, {**MEM, "inputType": None, "outputTypes": None, "storageMode": None, "description": None}):
        request = CreateMemoryStoreRequest.model_validate(body)
        assert request.types == ("messages", ("structured",))
        assert (request.description, request.extract_instructions, request.wiki_reflection_enabled) == (
            None,
            None,
            None,
        )
        assert request.instance == "default"


@pytest.mark.parametrize("model", [CreateMemoryStoreRequest, UpdateMemoryStoreRequest])
@pytest.mark.parametrize("fits", ["", "d" * 1_024, "虾" * 341 + "a", "🦐" * 256])
def test_a_description_has_at_most_1024_bytes(model: type[Request], fits: str) -> None:
    """Bytes of UTF-8: 341 Chinese characters and one letter, or 256 emoji."""
    assert model.model_validate({**MEM, "description": fits}).model_dump()["description"] == fits
    if fits:
        over = refusal(model, {**MEM, "description": fits + "a"})
        assert over == "description must be at most 1024 bytes of UTF-8"


@pytest.mark.parametrize("model", [CreateMemoryStoreRequest, UpdateMemoryStoreRequest])
@pytest.mark.parametrize("character", ["i", "虾", "🦐"])
def test_instructions_have_at_most_4096_characters(model: type[Request], character: str) -> None:
    """Characters, however many bytes each has."""
    assert model.model_validate({**MEM, "extractInstructions": character * 4_096})
    over = refusal(model, {**MEM, "extractInstructions": character * 4_097})
    assert over == "extractInstructions must be at most 4096 characters"


@pytest.mark.parametrize("field", ["description", "extractInstructions"])
def test_texts_are_cleaned(field: str) -> None:
    """Control characters go, surrogates are replaced, accents composed."""
    request = CreateMemoryStoreRequest.model_validate({**MEM, field: "a\x00\r\ncafe\u0301\ud800"})
    assert request.to_json()[field] == "a\ncafé\ufffd"


@pytest.mark.parametrize("model", [CreateMemoryStoreRequest, UpdateMemoryStoreRequest])
@pytest.mark.parametrize(
    ("field", "wrong", "problem"),
    [
        ("description", 1, "must be a string"),
        ("extractInstructions", ["x"], "must be a string"),
        ("outputTypes", "structured", "must be an array"),
        ("outputTypes", {"structured": True}, "must be an array"),
        ("outputTypes", [], "must have at least 1 item after validation, not 0"),
        ("wikiReflectionEnabled", "true", "must be true or false"),
        ("wikiReflectionEnabled", 1, "must be true or false"),
        ("wikiReflectionEnabled", 0.0, "must be true or false"),
    ],
)
def test_wrong_types_are_told(model: type[Request], field: str, wrong: Any, problem: str) -> None:
    """No string stands for a flag and no text for a list."""
    assert refusal(model, {**MEM, "inputType": "messages", field: wrong}).startswith(f"{field} {problem}") or (
        refusal(model, {**MEM, field: wrong}) == f"{field} {problem}"
    )


@pytest.mark.parametrize(
    ("input_type", "outputs"),
    [
        ("messages", ["structured"]),
        ("messages", ["file"]),
        ("messages", ["structured", "file"]),
        ("messages", ["file", "structured"]),
        ("file", ["file"]),
    ],
)
def test_inputs_and_their_outputs(input_type: str, outputs: list[str]) -> None:
    """Messages become memories, files or both; files become files."""
    request = CreateMemoryStoreRequest.model_validate({**MEM, "inputType": input_type, "outputTypes": outputs})
    assert request.types == (input_type, tuple(outputs))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"inputType": "file", "outputTypes": ["structured"]}, "outputTypes must be ['file'] when inputType is file"),
        (
            {"inputType": "file", "outputTypes": ["structured", "file"]},
            "outputTypes must be ['file'] when inputType is file",
        ),
        ({"inputType": "messages", "outputTypes": ["file"] * 2}, "outputTypes must not name an output twice"),
        ({"inputType": "messages"}, "inputType and outputTypes must be given together"),
        ({"outputTypes": ["structured"]}, "inputType and outputTypes must be given together"),
        ({"inputType": "images", "outputTypes": ["file"]}, "inputType must be 'messages' or 'file'"),
        ({"inputType": "messages", "outputTypes": ["file", "x"]}, "outputTypes[1] must be 'structured' or 'file'"),
        ({"storageMode": "oss+ots"}, "storageMode must be 'ots', 'file+ots' or 'filemem'"),
        (
            {"storageMode": "ots", "inputType": "messages", "outputTypes": ["structured"]},
            "storageMode must not stand beside inputType and outputTypes",
        ),
    ],
)
def test_what_does_not_fit_together_is_refused(fields: dict[str, Any], message: str) -> None:
    """Combinations, unknown values and the legacy mode beside the new fields."""
    assert refusal(CreateMemoryStoreRequest, {**MEM, **fields}) == message


@pytest.mark.parametrize(
    ("mode", "types"),
    [
        ("ots", ("messages", ("structured",))),
        ("file+ots", ("messages", ("structured", "file"))),
        ("filemem", ("file", ("file",))),
    ],
)
def test_the_legacy_mode_stands_for_types(mode: str, types: tuple[str, tuple[str, ...]]) -> None:
    """Each mode of the older API has its input and outputs."""
    assert CreateMemoryStoreRequest.model_validate({**MEM, "storageMode": mode}).types == types


@pytest.mark.parametrize("field", ["inputType", "storageMode"])
def test_what_never_changes_is_no_field_of_a_patch(field: str) -> None:
    """Input type and mode are set when the store is made."""
    assert refusal(UpdateMemoryStoreRequest, {**MEM, field: "messages"}) == f"{field} is not a known field"


def test_a_patch_tells_clearing_from_keeping() -> None:
    """Null is absence; an empty text is a value."""
    patch = UpdateMemoryStoreRequest.model_validate({**MEM, "description": "", "extractInstructions": None})
    assert (patch.description, patch.extract_instructions) == ("", None)


def test_a_list_of_stores_may_be_asked_for_with_nothing() -> None:
    """`{}` is a whole request, and null is absence."""
    for body in ({}, {"limit": None, "nextToken": None}):
        request = ListMemoryStoresRequest.model_validate(body)
        assert (request.limit, request.next_token) == (None, None)


@pytest.mark.parametrize(
    ("limit", "problem"),
    [
        (0, "must be greater than or equal to 1"),
        (-1, "must be greater than or equal to 1"),
        (101, "must be less than or equal to 100"),
        pytest.param(10**4_000, "must be less than or equal to 100", id="4,000 digits"),
        ("10", "must be a whole number"),
        (True, "must be a whole number"),
        (10.0, "must be a whole number"),
        (float("inf"), "must be a whole number"),
    ],
)
def test_limits_of_a_page_of_stores(limit: Any, problem: str) -> None:
    """A whole number from 1 to 100, of whatever size the wrong ones are."""
    assert ListMemoryStoresRequest.model_validate({"limit": 1}).limit == 1
    assert ListMemoryStoresRequest.model_validate({"limit": 100}).limit == 100
    assert refusal(ListMemoryStoresRequest, {"limit": limit}) == f"limit {problem}"


def test_a_token_is_bounded() -> None:
    """8,192 characters; one over is refused before it is looked at."""
    assert ListMemoryStoresRequest.model_validate({"nextToken": "a" * 8_192})
    assert refusal(ListMemoryStoresRequest, {"nextToken": "a" * 8_193}) == "nextToken must have at most 8192 characters"
    assert refusal(ListMemoryStoresRequest, {"nextToken": 1}) == "nextToken must be a string"


@pytest.mark.parametrize("model", [CreateMemoryStoreRequest, UpdateMemoryStoreRequest])
@pytest.mark.parametrize(
    ("seconds", "problem"),
    [
        (-1, "defaultTtlSeconds must be greater than or equal to"),
        (100 * 366 * 86_400 + 1, "defaultTtlSeconds must be less than or equal to 3162240000"),
        ("60", "defaultTtlSeconds must be a whole number"),
        (True, "defaultTtlSeconds must be a whole number"),
        (60.0, "defaultTtlSeconds must be a whole number"),
    ],
)
def test_a_default_life_is_a_number_of_seconds(model: type[Request], seconds: Any, problem: str) -> None:
    """Up to a century."""
    assert refusal(model, {**MEM, "defaultTtlSeconds": seconds}).startswith(problem)


def test_a_default_life_of_nothing_only_clears() -> None:
    """0 takes the default of a store away; a new store leaves it out."""
    assert UpdateMemoryStoreRequest.model_validate({**MEM, "defaultTtlSeconds": 0}).default_ttl_seconds == 0
    assert refusal(CreateMemoryStoreRequest, {**MEM, "defaultTtlSeconds": 0}).startswith("defaultTtlSeconds must be")
