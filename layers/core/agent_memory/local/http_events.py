"""HTTP requests as API Gateway's events for an HTTP API (payload 2.0), and a function's answer as an HTTP response.

Source: Amazon API Gateway developer guide, "AWS Lambda proxy integrations for HTTP APIs". One difference: a body is
base64 where it is not UTF-8, whatever its content type says.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from agent_memory.times import from_ms

Headers = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A whole request. `path` and `query` are as sent (percent-encoded); header names come in any case."""

    method: str
    path: str
    query: str = ""
    headers: Headers = ()
    body: bytes = b""
    source_ip: str = "127.0.0.1"
    protocol: str = "HTTP/1.1"


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A whole response, header names as the function gave them."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def operation_of(path: str) -> str:
    """The last segment of the path: what stands before it is a stage or a base path."""
    return path.rpartition("/")[2]


def http_event(request: HttpRequest, *, request_id: str, now_ms: int) -> dict[str, Any]:
    """The event of a request that arrived at `now_ms`."""
    headers = joined(request.headers)
    cookies = headers.pop("cookie", "")
    parameters = joined(parse_qsl(request.query, keep_blank_values=True), lower=False)
    route = f"{request.method} /{operation_of(request.path)}"
    return {
        "version": "2.0",
        "routeKey": route,
        "rawPath": request.path,
        "rawQueryString": request.query,
        **({"cookies": cookies.split("; ")} if cookies else {}),
        "headers": headers,
        **({"queryStringParameters": parameters} if parameters else {}),
        "requestContext": _context(request, headers, route, request_id, now_ms),
        **_body(request.body),
    }


def http_response(answer: Mapping[str, Any]) -> HttpResponse:
    """The response of an answer in payload 2.0; `content-length` is added."""
    text = answer.get("body") or ""
    body = b64decode(text) if answer.get("isBase64Encoded") else text.encode()
    given = [(name, str(value)) for name, value in answer.get("headers", {}).items()]
    cookies = [("set-cookie", cookie) for cookie in answer.get("cookies", ())]
    return HttpResponse(answer["statusCode"], (*given, *cookies, ("content-length", str(len(body)))), body)


def joined(pairs: Headers, *, lower: bool = True) -> dict[str, str]:
    """Each name once, in lower case unless told otherwise, its values joined by commas."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name.lower() if lower else name, []).append(value)
    return {name: ",".join(each) for name, each in values.items()}


def _context(
    request: HttpRequest, headers: Mapping[str, str], route: str, request_id: str, now_ms: int
) -> dict[str, Any]:
    host = headers.get("host", "localhost")
    return {
        "accountId": "anonymous",
        "apiId": "local",
        "domainName": host,
        "domainPrefix": host.partition(".")[0],
        "http": {
            "method": request.method,
            "path": request.path,
            "protocol": request.protocol,
            "sourceIp": request.source_ip,
            "userAgent": headers.get("user-agent", ""),
        },
        "requestId": request_id,
        "routeKey": route,
        "stage": "$default",
        "time": f"{from_ms(now_ms):%d/%b/%Y:%H:%M:%S +0000}",
        "timeEpoch": now_ms,
    }


def _body(body: bytes) -> dict[str, Any]:
    if not body:
        return {"isBase64Encoded": False}
    try:
        return {"body": body.decode(), "isBase64Encoded": False}
    except UnicodeDecodeError:
        return {"body": b64encode(body).decode("ascii"), "isBase64Encoded": True}
