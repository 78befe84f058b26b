"""Requests that write and search memories: fields, defaults, limits and the words of their errors."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from agent_memory.invalid import first_problem
from agent_memory.requests.fields import INSTANCE_HEADER, Request
from agent_memory.requests.memories import AddMemoriesRequest, MessageInput, SearchMemoriesRequest

SCOPE = {"appId": "shop", "tenantId": "t1", "agentId": "a1", "runId": "r1"}
ADD: dict[str, Any] = {"memoryStoreName": "mem", "scope": SCOPE}
SEARCH: dict[str, Any] = {"memoryStoreName": "mem", "scope": SCOPE, "query": "我对什么过敏?"}
SIZES = [("a", 32_000), ("虾", 10_666), ("🦐", 8_000)]  # a character, and how many of it fit 32,000 bytes


def message(**fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": "我对虾过敏", **fields}


def add(**fields: Any) -> AddMemoriesRequest:
    return AddMemoriesRequest.model_validate({**ADD, **fields})


def added(**fields: Any) -> MessageInput:
    """The message of a request that has this one."""
    messages = add(messages=[message(**fields)]).messages
    assert messages is not None
    return messages[0]


def search(**fields: Any) -> SearchMemoriesRequest:
    return SearchMemoriesRequest.model_validate({**SEARCH, **fields})


def refusal(model: type[Request], body: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as refused:
        model.model_validate(body)
    return " ".join(first_problem(refused.value))


def add_refusal(**fields: Any) -> str:
    return refusal(AddMemoriesRequest, {**ADD, **fields})


def message_refusal(**fields: Any) -> str:
    """The error of a fourth message with these fields, after three good ones."""
    return add_refusal(messages=[message()] * 3 + [message(**fields)])


def search_refusal(**fields: Any) -> str:
    return refusal(SearchMemoriesRequest, {**SEARCH, **fields})


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (
            AddMemoriesRequest,
            (
                "scope messages text metadata sync referenceTime interaction clientToken infer expiresAt ttlSeconds "
                "redaction"
            ),
        ),
        (
            SearchMemoriesRequest,
            (
                "query scope filter contextScope topK enableRerank includeEvidence minSimilarity thresholds metadata "
                "metadataFilter minTimestamp maxTimestamp includeInvalid asOf keywordOnly dedup includeScores nextToken"
            ),
        ),
    ],
)
def test_the_fields_are_those_of_the_api(model: type[Request], names: str) -> None:
    """No more, no less, in camelCase, beside the instance from the header."""
    assert {field.alias for field in model.model_fields.values()} == {
        *names.split(),
        "memoryStoreName",
        INSTANCE_HEADER,
    }


def test_the_fields_of_a_message() -> None:
    """Those of the API and `speaker`."""
    names = {field.alias for field in MessageInput.model_fields.values()}
    assert names == {"role", "content", "messageId", "timestamp", "metadata", "speaker"}


def test_what_is_absent_or_null_is_the_default() -> None:
    """Of the request and of its messages."""
    nulls = dict.fromkeys(("metadata", "sync", "referenceTime", "interaction", "text"))
    for fields in ({}, nulls):
        request = add(messages=[message()], **fields)
        assert (request.metadata, request.sync, request.reference_time, request.text) == ({}, False, None, None)
    for absent in ({}, dict.fromkeys(("messageId", "timestamp", "metadata", "speaker"))):
        given = added(**absent)
        assert (given.message_id, given.timestamp, given.metadata, given.speaker) == (None, None, {}, None)


@pytest.mark.parametrize("extra", ["message_id", "name", "instance", "async", "未知"])
def test_an_unknown_field_is_named_with_its_place(extra: str) -> None:
    """In the request, in a message, in the scope, in thresholds."""
    assert add_refusal(messages=[message()], **{extra: 1}) == f"{extra} is not a known field"
    assert message_refusal(**{extra: 1}) == f"messages[3].{extra} is not a known field"
    assert add_refusal(messages=[message()], scope={**SCOPE, extra: "x"}) == f"scope.{extra} is not a known field"
    assert search_refusal(**{extra: 1}) == f"{extra} is not a known field"
    assert search_refusal(thresholds={extra: 1}) == f"thresholds.{extra} is not a known field"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"memoryStoreName": None}, "memoryStoreName must be a string"),
        ({"memoryStoreName": "商店"}, "memoryStoreName must be 1 to 32 of the characters A-Z a-z 0-9 _"),
        ({"scope": "shop/t1/a1/r1"}, "scope must be an object"),
        ({"scope": {}}, "scope.appId is required"),
        ({"scope": {"appId": ""}}, "scope.appId is required"),
        ({"scope": {"appId": "*"}}, "scope.appId must not be '*' here"),
        ({"scope": {"appId": "a", "runId": "*"}}, "scope.runId must not be '*' here"),
        ({"scope": {"appId": "a/b"}}, "scope.appId must not contain '/' or control characters"),
        ({"scope": {"appId": "虾" * 43}}, "scope.appId must be at most 128 bytes of UTF-8"),
        ({"messages": "你好"}, "messages must be an array"),
        ({"messages": {"role": "user"}}, "messages must be an array"),
        ({"messages": [message(), "你好"]}, "messages[1] must be an object"),
        ({"messages": [message(), None]}, "messages[1] must be an object"),
        ({"messages": [[message()]]}, "messages[0] must be an object"),
        ({"text": 1}, "text must be a string"),
        ({"text": ["a"]}, "text must be a string"),
        ({"sync": "true"}, "sync must be true or false"),
        ({"sync": 1}, "sync must be true or false"),
        ({"sync": []}, "sync must be true or false"),
        ({"referenceTime": 1_796_032_800_000}, "referenceTime must be a string"),
        ({"referenceTime": "昨天"}, "referenceTime must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        ({"referenceTime": ""}, "referenceTime must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        ({"interaction": "x"}, "interaction must be an object"),
        ({"interaction": [1]}, "interaction must be an object"),
    ],
)
def test_wrong_fields_of_an_add(fields: dict[str, Any], problem: str) -> None:
    """Each is told by its path."""
    assert add_refusal(**{"messages": [message()], **fields}) == problem


@pytest.mark.parametrize("name", ["memoryStoreName", "scope"])
def test_an_add_names_its_store_and_scope(name: str) -> None:
    """Both are required."""
    body = {key: value for key, value in {**ADD, "text": "a"}.items() if key != name}
    assert refusal(AddMemoriesRequest, body) == f"{name} is required"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"content": 1}, "content must be a string"),
        ({"content": None}, "content must be a string"),
        ({"content": [{"type": "text", "text": "a"}]}, "content must be a string"),
        ({"role": None}, "role must be a string"),
        ({"role": ""}, "role must be 1 to 64 characters without control characters"),
        ({"role": "a\n"}, "role must be 1 to 64 characters without control characters"),
        ({"role": "虾" * 65}, "role must be 1 to 64 characters without control characters"),
        ({"speaker": ""}, "speaker must be 1 to 128 characters without control characters"),
        ({"speaker": "虾" * 129}, "speaker must be 1 to 128 characters without control characters"),
        ({"speaker": "a\x00"}, "speaker must be 1 to 128 characters without control characters"),
        ({"speaker": {}}, "speaker must be a string"),
        ({"messageId": ""}, "messageId must be 1 to 256 characters without control characters"),
        ({"messageId": "🦐" * 257}, "messageId must be 1 to 256 characters without control characters"),
        ({"messageId": "a\ud800"}, "messageId must be 1 to 256 characters without control characters"),
        ({"messageId": 7}, "messageId must be a string"),
        ({"timestamp": 1_796_032_800_000}, "timestamp must be a string"),
        ({"timestamp": "2026-11-30"}, "timestamp must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        ({"timestamp": "2026-02-30T00:00:00Z"}, "timestamp is not a day and time of the calendar (years 1 to 9999)"),
        ({"metadata": "x"}, "metadata must be an object"),
        ({"metadata": {"k": 1}}, "metadata.k must be a string"),
        ({"metadata": {"k": None}}, "metadata.k must be a string"),
        ({"metadata": {"k": {"a": "b"}}}, "metadata.k must be a string"),
    ],
)
def test_wrong_fields_of_a_message(fields: dict[str, Any], problem: str) -> None:
    """Each is told by the message's position and its name."""
    assert message_refusal(**fields) == f"messages[3].{problem}"


@pytest.mark.parametrize("name", ["role", "content"])
def test_a_message_has_role_and_content(name: str) -> None:
    """Both are required."""
    without = {key: value for key, value in message().items() if key != name}
    assert add_refusal(messages=[without]) == f"messages[0].{name} is required"


@pytest.mark.parametrize(("field", "limit"), [("role", 64), ("speaker", 128), ("messageId", 256)])
def test_identifiers_are_counted_in_characters(field: str, limit: int) -> None:
    """At the limit they pass, whatever bytes a character has; any role is a role."""
    for character in "a虾🦐":
        assert added(**{field: character * limit}).to_json()[field] == character * limit


def test_twenty_messages_are_the_most() -> None:
    """One over is refused."""
    assert len(add(messages=[message()] * 20).messages or []) == 20
    assert add_refusal(messages=[message()] * 21).startswith("messages must have at most 20 items")


@pytest.mark.parametrize(("character", "count"), SIZES)
def test_contents_have_at_most_32000_bytes_in_all(character: str, count: int) -> None:
    """Bytes of UTF-8 over all messages; one over is refused."""
    parts = [message(content=character * (count // 4)) for _ in range(3)]
    rest = count - 3 * (count // 4)
    left = 32_000 - count * len(character.encode())
    assert add(messages=[*parts, message(content=character * rest + "a" * left)])
    over = add_refusal(messages=[*parts, message(content=character * rest + "a" * (left + 1))])
    assert over == "messages must have at most 32000 bytes of content (UTF-8) in all"


@pytest.mark.parametrize(("character", "count"), SIZES)
def test_a_text_has_at_most_32000_bytes(character: str, count: int) -> None:
    """Counted apart from the messages; one over is refused."""
    fits = character * count + "a" * (32_000 - count * len(character.encode()))
    assert add(text=fits, messages=[message(content="b" * 32_000)]).text == fits
    assert add_refusal(text=f"{fits}a") == "text must be at most 32000 bytes of UTF-8"


def test_sizes_are_counted_as_sent() -> None:
    """What cleaning would remove counts; a lone surrogate is three bytes."""
    assert add_refusal(text="\x00" * 32_001) == "text must be at most 32000 bytes of UTF-8"
    assert add_refusal(text="\ud800" * 10_667) == "text must be at most 32000 bytes of UTF-8"


def test_contents_are_cleaned_and_speakers_composed() -> None:
    """Controls go, line ends and accents get one form, surrogates are replaced."""
    given = added(content="我\x00对\r\n虾\ud800cafe\u0301", speaker="cafe\u0301")
    assert (given.content, given.speaker) == ("我对\n虾\ufffdcafé", "café")
    assert add(text="a\x07b").text == "ab"


@pytest.mark.parametrize("fields", [{}, {"messages": []}, {"messages": None, "text": None}])
def test_an_add_says_something(fields: dict[str, Any]) -> None:
    """Messages, a text, or both."""
    assert add_refusal(**fields) == "messages or text is required"
    assert add(messages=[], text="你好").text == "你好"
    assert add(messages=[message()], text="你好").messages


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"clientToken": ""}, "clientToken must be 1 to 128 characters without control characters"),
        ({"clientToken": "虾" * 129}, "clientToken must be 1 to 128 characters without control characters"),
        ({"clientToken": "a\ud800"}, "clientToken must be 1 to 128 characters without control characters"),
        ({"clientToken": 7}, "clientToken must be a string"),
        ({"infer": "false"}, "infer must be true or false"),
        ({"infer": 0}, "infer must be true or false"),
        ({"expiresAt": "2026-11-30"}, "expiresAt must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        ({"expiresAt": 1_796_032_800_000}, "expiresAt must be a string"),
        ({"ttlSeconds": 0}, "ttlSeconds must be greater than or equal to 1"),
        ({"ttlSeconds": -60}, "ttlSeconds must be greater than or equal to 1"),
        ({"ttlSeconds": 100 * 366 * 86_400 + 1}, "ttlSeconds must be less than or equal to 3162240000"),
        ({"ttlSeconds": 10**30}, "ttlSeconds must be less than or equal to 3162240000"),
        ({"ttlSeconds": "60"}, "ttlSeconds must be a whole number"),
        ({"ttlSeconds": True}, "ttlSeconds must be a whole number"),
        ({"ttlSeconds": 60.0}, "ttlSeconds must be a whole number"),
        ({"ttlSeconds": 60, "expiresAt": "2027-01-01T00:00:00Z"}, "expiresAt must not stand beside ttlSeconds"),
    ],
)
def test_wrong_fields_beyond_the_spec(fields: dict[str, Any], problem: str) -> None:
    """The name of the call, verbatim adds, and how long things live."""
    assert add_refusal(messages=[message()], **fields) == problem


def test_defaults_of_the_fields_beyond_the_spec() -> None:
    """Memories are inferred and live on; nothing names the call."""
    for fields in ({}, dict.fromkeys(("clientToken", "infer", "expiresAt", "ttlSeconds"))):
        request = add(messages=[message()], **fields)
        given = (request.client_token, request.infer, request.expires_at, request.ttl_seconds)
        assert given == (None, True, None, None)
    assert add(text="a", clientToken="🦐" * 128).client_token == "🦐" * 128


@pytest.mark.parametrize("text", ["", "\x00"])
def test_an_empty_text_says_nothing(text: str) -> None:
    """As if neither were given."""
    assert add_refusal(text=text)


@pytest.mark.parametrize("place", ["request", "message"])
@pytest.mark.parametrize(
    ("metadata", "problem"),
    [
        ({f"键{i}": "" for i in range(17)}, "metadata must have at most 16 keys"),
        ({"k" * 65: ""}, "metadata keys must be 1 to 64 characters"),
        ({"": "v"}, "metadata keys must be 1 to 64 characters"),
        ({"k": "v" * 65_528}, "metadata must be at most 65536 bytes of JSON"),
        ({"k": "虾" * 21_843}, "metadata must be at most 65536 bytes of JSON"),
        ({"é": "1", "e\u0301": "2"}, "metadata has keys that are empty or the same once control characters are gone"),
    ],
)
def test_limits_of_metadata(place: str, metadata: dict[str, str], problem: str) -> None:
    """16 keys of 64 characters, 65,536 bytes as JSON, no two keys that become one."""
    if place == "request":
        assert add_refusal(messages=[message()], metadata=metadata) == problem
    else:
        assert message_refusal(metadata=metadata) == f"messages[3].{problem}"


@pytest.mark.parametrize(
    "metadata", [{f"键{i}": "值" for i in range(16)}, {"🦐" * 64: ""}, {"k": "v" * 65_527}, {"k": "虾" * 21_842}, {}]
)
def test_metadata_at_its_limits_passes(metadata: dict[str, str]) -> None:
    """For the request and for a message."""
    assert add(messages=[message(metadata=metadata)], metadata=metadata).metadata == metadata


def test_a_key_that_cleaning_empties_is_no_key() -> None:
    """Keys have at least one character, also once cleaned."""
    assert add_refusal(messages=[message()], metadata={"\x00": "v"})


def test_defaults_of_a_search() -> None:
    """Ten results, reranked, without evidence, above nothing."""
    names = "filter contextScope topK enableRerank includeEvidence minSimilarity thresholds metadata"
    for fields in ({}, dict.fromkeys(names.split())):
        asked = search(**fields)
        assert (asked.top_k, asked.enable_rerank, asked.include_evidence, asked.metadata) == (10, True, False, {})
        assert (asked.min_score, asked.min_cosine, asked.filter, asked.context_scope) == (0.0, 0.0, None, None)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"query": None}, "query must be a string"),
        ({"query": 1}, "query must be a string"),
        ({"query": ""}, "query must not be blank"),
        ({"query": " \t\n\u3000"}, "query must not be blank"),
        ({"query": "\x00\x01"}, "query must not be blank"),
        ({"query": "虾" * 8_193}, "query must be at most 8192 characters"),
        ({"scope": None}, "scope must be an object"),
        ({"scope": {"appId": "a"}}, "scope.tenantId is required"),
        ({"scope": {**SCOPE, "appId": "*"}}, "scope.appId must not be '*' here"),
        ({"scope": {**SCOPE, "tenantId": "*"}}, "scope.tenantId must not be '*' here"),
        ({"filter": "x"}, "filter must be an object"),
        ({"filter": []}, "filter must be an object"),
        ({"contextScope": {"appId": "shop"}}, "contextScope.tenantId is required"),
        ({"contextScope": {**SCOPE, "runId": "*"}}, "contextScope.runId must not be '*' here"),
        ({"contextScope": {**SCOPE, "runId": "r2"}}, "contextScope must lie inside scope"),
        ({"topK": -1}, "topK must be greater than or equal to 0"),
        ({"topK": 51}, "topK must be less than or equal to 50"),
        ({"topK": "5"}, "topK must be a whole number"),
        ({"topK": True}, "topK must be a whole number"),
        ({"topK": 5.0}, "topK must be a whole number"),
        ({"enableRerank": "false"}, "enableRerank must be true or false"),
        ({"enableRerank": 0}, "enableRerank must be true or false"),
        ({"includeEvidence": "true"}, "includeEvidence must be true or false"),
        ({"includeEvidence": 1}, "includeEvidence must be true or false"),
        ({"minSimilarity": "0.5"}, "minSimilarity must be a number"),
        ({"minSimilarity": True}, "minSimilarity must be a number"),
        ({"minSimilarity": 1.001}, "minSimilarity must be less than or equal to 1"),
        ({"minSimilarity": -0.001}, "minSimilarity must be greater than or equal to 0"),
        ({"thresholds": [0.5]}, "thresholds must be an object"),
        ({"thresholds": {"minScore": 2}}, "thresholds.minScore must be less than or equal to 1"),
        ({"thresholds": {"minScore": "1"}}, "thresholds.minScore must be a number"),
        ({"thresholds": {"minSimilarity": -1}}, "thresholds.minSimilarity must be greater than or equal to 0"),
        ({"minSimilarity": 0, "thresholds": {}}, "minSimilarity must not stand beside thresholds"),
        ({"metadata": {"k": 1}}, "metadata.k must be a string"),
        ({"metadata": {"k": ["a"]}}, "metadata.k must be a string"),
        ({"metadata": {"": "v"}}, "metadata keys must be 1 to 64 characters"),
        ({"metadata": {"虾" * 65: "v"}}, "metadata keys must be 1 to 64 characters"),
        ({"metadata": {f"k{i}": "v" for i in range(17)}}, "metadata must have at most 16 keys"),
        ({"metadata": {"k": "虾" * 1_025}}, "metadata values must be at most 1024 characters"),
        ({"keywordOnly": "true"}, "keywordOnly must be true or false"),
        ({"includeScores": 1}, "includeScores must be true or false"),
        ({"includeInvalid": "yes"}, "includeInvalid must be true or false"),
        ({"dedup": "none"}, "dedup must be 'mmr'"),
        ({"dedup": True}, "dedup must be 'mmr'"),
        ({"asOf": "2026-01-05"}, "asOf must be an RFC 3339 time such as 2026-11-30T10:00:00Z"),
        ({"asOf": 1_796_032_800_000}, "asOf must be a string"),
        ({"asOf": "2026-01-05T00:00:00Z", "includeInvalid": True}, "includeInvalid must not stand beside asOf"),
        (
            {"keywordOnly": True, "thresholds": {"minSimilarity": 0.1}},
            "keywordOnly must not stand beside thresholds.minSimilarity",
        ),
    ],
)
def test_wrong_fields_of_a_search(fields: dict[str, Any], problem: str) -> None:
    """Each is told by its path."""
    assert search_refusal(**fields) == problem


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_a_bound_is_a_number_of_the_line(bad: float) -> None:
    """NaN would compare false with every score."""
    assert search_refusal(minSimilarity=bad).startswith("minSimilarity must be")
    assert search_refusal(thresholds={"minScore": bad}).startswith("thresholds.minScore must be")


def test_a_search_at_its_limits_passes() -> None:
    """The longest query, 0 and 50 results, bounds of 0 and 1 as whole numbers too."""
    assert search(query="虾" * 8_192).query == "虾" * 8_192
    assert [search(topK=count).top_k for count in (0, 50)] == [0, 50]
    assert [search(minSimilarity=bound).min_score for bound in (0, 1, 0.5)] == [0, 1, 0.5]
    assert search(metadata={"🦐" * 64: "虾" * 1_024, **{f"k{i}": "" for i in range(15)}}).metadata


def test_which_bound_is_on_what() -> None:
    """The legacy minSimilarity bounds the score; thresholds bound what they say, or nothing."""
    assert (search(minSimilarity=0.3).min_score, search(minSimilarity=0.3).min_cosine) == (0.3, 0.0)
    both = search(thresholds={"minScore": 0.2, "minSimilarity": 0.4})
    assert (both.min_score, both.min_cosine) == (0.2, 0.4)
    assert (search(thresholds={}).min_score, search(thresholds={}).min_cosine) == (0.0, 0.0)


def test_defaults_of_a_search_beyond_the_spec() -> None:
    """Words and meaning, nothing pushed down, no scores of the parts, what holds now."""
    names = ("keywordOnly", "dedup", "includeScores", "includeInvalid", "asOf")
    for fields in ({}, dict.fromkeys(names)):
        asked = search(**fields)
        assert (asked.keyword_only, asked.dedup, asked.include_scores) == (False, None, False)
        assert (asked.include_invalid, asked.as_of_ms) == (False, None)
    assert search(asOf="2026-01-05T08:00:00+08:00", includeInvalid=False).as_of_ms == 1_767_571_200_000
    assert search(keywordOnly=True, thresholds={"minSimilarity": 0, "minScore": 0.5}).keyword_only


def test_a_search_widens_over_agents_and_runs() -> None:
    """Absent, null, empty and `*`, with a context inside."""
    for open_levels in ({}, {"agentId": "*"}, {"agentId": "", "runId": None}, {"agentId": "*", "runId": "*"}):
        asked = search(scope={"appId": "shop", "tenantId": "t1", **open_levels}, contextScope=SCOPE)
        assert asked.scope.levels == ("shop", "t1", "*", "*")
    problem = search_refusal(scope={**SCOPE, "agentId": "*"})
    assert problem == "scope.runId must be '*' or omitted after a level that is '*' or omitted"


def test_a_query_is_cleaned() -> None:
    """Control characters go, surrogates are replaced; the spaces around stay."""
    assert search(query=" 虾\x00\ud800? ").query == " 虾\ufffd? "


def test_a_filter_loses_no_condition() -> None:
    """As for metadata that is written, two keys that become one are refused."""
    assert search_refusal(metadata={"é": "1", "e\u0301": "2"})
