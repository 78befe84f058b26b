"""Language models turn every failure into a named error, at once, without the key and without the prompt."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from itertools import count

import pytest

from agent_memory.adapters.openai_model import MAX_ANSWER_BYTES
from agent_memory.errors import LlmFailed, LlmRefused, LlmThrottled, LlmTimeout, LlmUnavailable
from agent_memory.language_model import Spent

from .model_adapters import PROMPT, SERVICES, adapter, bedrock, openai
from .model_server import API_KEY, ModelServer, choice, message, model_server

SECRETS = f"{API_KEY} {PROMPT.user}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """The services, on loopback and never through a proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with model_server() as running:
        yield running


def failure_of(name: str, server: ModelServer) -> LlmFailed:
    """The error of one call, which is one request, and says nothing of the key or the prompt wherever it is shown."""
    with pytest.raises(LlmFailed) as failure:
        adapter(name, server).complete(PROMPT)
    shown = "".join(traceback.format_exception(failure.value))
    assert API_KEY not in shown
    assert "过敏 😀" not in shown
    assert len(server.calls) == 1
    return failure.value


def refusing(status: int, kind: str = "") -> dict:
    """A body that repeats what it should not."""
    return {"error": {"message": SECRETS, "code": None}} | ({"__type": kind, "message": SECRETS} if kind else {})


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize(
    ("status", "kind", "error"),
    [
        (400, "ValidationException", LlmRefused),
        (401, "UnrecognizedClientException", LlmRefused),
        (403, "AccessDeniedException", LlmRefused),
        (404, "ResourceNotFoundException", LlmRefused),
        (408, "ModelTimeoutException", LlmTimeout),
        (413, "ValidationException", LlmRefused),
        (429, "ThrottlingException", LlmThrottled),
        (500, "InternalServerException", LlmUnavailable),
        (503, "ServiceUnavailableException", LlmUnavailable),
        (529, "Overloaded", LlmUnavailable),
        (307, "", LlmRefused),
    ],
)
def test_a_status_is_a_named_failure(name, status, kind, error, server) -> None:
    """One request each: no retry, and no redirect followed."""
    server.override = lambda: (status, refusing(status, kind))
    assert type(failure_of(name, server)) is error


@pytest.mark.parametrize(
    ("kind", "error"),
    [("ModelNotReadyException", LlmUnavailable), ("ServiceQuotaExceededException", LlmThrottled)],
)
def test_bedrock_s_codes_go_before_the_status(kind, error, server) -> None:
    """A model that is still loading is not a caller that asks too much."""
    server.override = lambda: ({"ModelNotReadyException": 429}.get(kind, 400), refusing(400, kind))
    assert type(failure_of("bedrock", server)) is error


GARBAGE = {
    "html": b"<html><body>Bad gateway</body></html>",
    "nothing": b"",
    "half": b'{"choices": [{"message": {"content": "a"}}], "output": {"mess',
    "not utf-8": b"\xff\xfe\xfa",
    "deep": b"[" * 200_000,
    "list": b"[]",
    "word": b'"choices"',
    "other shape": b'{"outcome": []}',
    "choices are none": b'{"choices": null, "output": null}',
}


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("case", GARBAGE)
def test_garbage_is_a_named_failure(name, case, server) -> None:
    """Whatever comes with status 200."""
    server.override = lambda: (200, GARBAGE[case])
    assert type(failure_of(name, server)) is LlmUnavailable


@pytest.mark.parametrize(("code", "error"), [(429, LlmThrottled), (502, LlmUnavailable), ("x", LlmUnavailable)])
def test_an_error_with_status_200_is_one(code, error, server) -> None:
    """Gateways answer so."""
    server.override = lambda: (200, {"error": {"code": code, "message": SECRETS}})
    assert type(failure_of("openai", server)) is error


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("openai", choice("", "content_filter")),
        ("openai", choice(None, refusal=SECRETS)),
        ("bedrock", message({"text": SECRETS}, stop="guardrail_intervened")),
        ("bedrock", message(stop="content_filtered")),
    ],
)
def test_a_model_that_will_not_answer_refuses(name, answer, server) -> None:
    """And is paid for."""
    server.override = lambda: (200, answer)
    failure = failure_of(name, server)
    assert (failure.code, failure.spent) == ("LLM_REFUSED", Spent(1, 12, 5))


@pytest.mark.parametrize("name", SERVICES)
def test_a_silent_service_times_out(name, server) -> None:
    """There is no second call."""
    over = threading.Event()
    server.override = lambda: (over.wait(), (200, {}))[1]
    model = openai(server, timeout_seconds=0.3) if name == "openai" else bedrock(server, seconds=0.3)
    try:
        with pytest.raises(LlmTimeout):
            model.complete(PROMPT)
    finally:
        over.set()
    assert len(server.calls) == 1


def test_a_slow_answer_is_not_read_to_its_end(server) -> None:
    """A server that sends a little from time to time, to keep the connection, would keep a worker for ever."""
    server.override = lambda: (200, b" " * 300_000)
    seconds = count(step=2)
    with pytest.raises(LlmTimeout):
        openai(server, clock=lambda: next(seconds)).complete(PROMPT)


def test_a_huge_answer_is_not_read_to_its_end(server) -> None:
    """Memory is the worker's."""
    server.override = lambda: (200, b" " * (MAX_ANSWER_BYTES + 1))
    with pytest.raises(LlmUnavailable, match="more than"):
        openai(server, clock=lambda: 0.0).complete(PROMPT)


def test_an_answer_that_breaks_off_is_a_named_failure(server) -> None:
    """Between the head and the end of the body."""
    server.cut_short = True
    with pytest.raises(LlmUnavailable):
        openai(server).complete(PROMPT)


@pytest.mark.parametrize("name", SERVICES)
def test_a_closed_port_is_a_named_failure(name) -> None:
    """As is every other failure to connect."""
    with model_server() as gone:
        model = adapter(name, gone)
    with pytest.raises(LlmUnavailable):
        model.complete(PROMPT)


def test_a_redirect_takes_the_key_nowhere(server) -> None:
    """It is a refusal with its status."""
    server.override = lambda: (307, {})
    with pytest.raises(LlmRefused, match="HTTP 307"):
        openai(server).complete(PROMPT)
    assert [path for path, _, _ in server.calls] == ["/v1/chat/completions"]
