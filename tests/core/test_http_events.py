"""HTTP requests as payload 2.0 events, answers as responses."""

from __future__ import annotations

from base64 import b64decode

import pytest

from agent_memory.local.http_events import HttpRequest, http_event, http_response, operation_of

NOW_MS = 1_796_032_800_000  # 2026-11-30T10:00:00Z


def test_the_event_has_what_api_gateway_sends() -> None:
    """Every field that the developer guide's example of payload 2.0 has for an open HTTP API."""
    request = HttpRequest(
        method="POST",
        path="/prod/AddMemories",
        query="a=1&b=%E8%99%BE&a=2&c=",
        headers=[("Host", "memory.local:8787"), ("X-Tag", "one"), ("x-tag", "two"), ("Cookie", "s=1; t=2")],
        body='{"text":"我对虾过敏"}'.encode(),
        source_ip="127.0.0.9",
    )
    assert http_event(request, request_id="id-1", now_ms=NOW_MS) == {
        "version": "2.0",
        "routeKey": "POST /AddMemories",
        "rawPath": "/prod/AddMemories",
        "rawQueryString": "a=1&b=%E8%99%BE&a=2&c=",
        "cookies": ["s=1", "t=2"],
        "headers": {"host": "memory.local:8787", "x-tag": "one,two"},
        "queryStringParameters": {"a": "1,2", "b": "虾", "c": ""},
        "requestContext": {
            "accountId": "anonymous",
            "apiId": "local",
            "domainName": "memory.local:8787",
            "domainPrefix": "memory",
            "http": {
                "method": "POST",
                "path": "/prod/AddMemories",
                "protocol": "HTTP/1.1",
                "sourceIp": "127.0.0.9",
                "userAgent": "",
            },
            "requestId": "id-1",
            "routeKey": "POST /AddMemories",
            "stage": "$default",
            "time": "30/Nov/2026:10:00:00 +0000",
            "timeEpoch": NOW_MS,
        },
        "body": '{"text":"我对虾过敏"}',
        "isBase64Encoded": False,
    }


def test_a_request_without_body_query_and_cookies_has_none_in_the_event() -> None:
    """API Gateway leaves those fields out."""
    event = http_event(HttpRequest("GET", "/health"), request_id="id-1", now_ms=NOW_MS)
    assert event.keys().isdisjoint({"body", "cookies", "queryStringParameters"})
    assert event["isBase64Encoded"] is False


def test_bytes_that_are_no_text_go_as_base64() -> None:
    """Nothing is lost or replaced on the way."""
    body = "我对虾过敏".encode("gb18030")
    event = http_event(HttpRequest("POST", "/AddMemories", body=body), request_id="id-1", now_ms=NOW_MS)
    assert (b64decode(event["body"]), event["isBase64Encoded"]) == (body, True)


@pytest.mark.parametrize(
    ("path", "name"), [("/AddMemories", "AddMemories"), ("/prod/AddMemories", "AddMemories"), ("/", ""), ("/a/", "")]
)
def test_the_operation_is_the_last_segment(path: str, name: str) -> None:
    """A base path in front of it does not matter, a slash behind it does."""
    assert operation_of(path) == name


def test_header_names_are_written_as_given() -> None:
    """Clients read some of them case-sensitively; the length counts bytes."""
    response = http_response({"statusCode": 201, "headers": {"x-ots-requestid": "1", "X-Up": "2"}, "body": "虾"})
    assert response.status == 201
    assert response.headers == (("x-ots-requestid", "1"), ("X-Up", "2"), ("content-length", "3"))
    assert response.body == "虾".encode()


def test_base64_answers_and_cookies() -> None:
    """A binary body is decoded, each cookie is a header of its own, a missing body is empty."""
    response = http_response({"statusCode": 200, "body": "//4=", "isBase64Encoded": True, "cookies": ["a=1", "b=2"]})
    assert response.body == b"\xff\xfe"
    assert response.headers == (("set-cookie", "a=1"), ("set-cookie", "b=2"), ("content-length", "2"))
    assert http_response({"statusCode": 204}).headers == (("content-length", "0"),)
