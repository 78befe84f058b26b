"""/openapi.json and /docs as they are served."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from http.client import HTTPConnection
from typing import Any

import pytest

from agent_memory.local.functions import load_pages
from agent_memory.openapi.document import document
from tests.flows.server_process import HOST

EXTERNAL = re.compile(r"""(?:src|href|action)\s*=\s*["']?\s*(?:https?:)?//|@import|url\(\s*["']?(?:https?:)?//""")


def get(handler: Any, path: str, method: str = "GET") -> dict[str, Any]:
    """The handler's answer to a request."""
    about = {"http": {"method": method, "path": path}, "requestId": "r-1"}
    answer: dict[str, Any] = handler({"rawPath": path, "headers": {}, "requestContext": about}, None)
    return answer


@pytest.fixture
def pages() -> dict[str, Any]:
    return load_pages()


def test_the_document_is_served(pages):
    """At /openapi.json, below any base path, to GET and to HEAD."""
    for path, method in (("/openapi.json", "GET"), ("/prod/openapi.json", "GET"), ("/openapi.json", "HEAD")):
        answer = get(pages["openapi.json"], path, method)
        assert (answer["statusCode"], answer["headers"]["content-type"]) == (200, "application/json")
        assert answer["headers"]["x-ots-requestid"] == "r-1"
        assert json.loads(answer["body"]) == document()


def test_the_document_and_the_page_are_made_once(pages):
    """Each later answer of the process is the same object."""
    for path in ("/openapi.json", "/docs"):
        handler = pages[path.removeprefix("/")]
        assert get(handler, path)["body"] is get(handler, path)["body"]


@pytest.mark.parametrize(("path", "method", "status"), [("/docs", "POST", 405), ("/other", "GET", 404)])
def test_other_requests_are_refused_as_everywhere(pages, path, method, status):
    """With an error body."""
    answer = get(pages["docs"], path, method)
    body = json.loads(answer["body"])
    assert (answer["statusCode"], body["requestId"], set(body)) == (status, "r-1", {"code", "message", "requestId"})
    assert answer["headers"].get("allow") == ("GET, HEAD" if status == 405 else None)


def test_the_page_needs_nothing_from_elsewhere(pages):
    """Its policy allows its own two scripts and its own server, and nothing in it points outside."""
    answer = get(pages["docs"], "/docs")
    policy = answer["headers"]["content-security-policy"]
    html = answer["body"]
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{each}'" for each in hashes)
    assert answer["headers"]["content-type"] == "text/html; charset=utf-8"
    assert len(scripts) == 2
    assert f"script-src {allowed};" in policy
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    without_bundle = html.replace(scripts[0], "")
    assert not EXTERNAL.search(without_bundle)
    assert "\r" not in html, "a browser would hash other characters"


def test_the_embedded_server_serves_both(server):
    """Through the same handler, beside the operations."""
    connection = HTTPConnection(HOST, server.port, timeout=60)
    connection.request("GET", "/openapi.json")
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())) == (200, document())
    connection.request("GET", "/docs")
    page = connection.getresponse()
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.read().startswith(b"<!doctype html>")
    connection.request("HEAD", "/docs")
    head = connection.getresponse()
    assert (head.status, head.read(), head.headers["content-length"]) == (200, b"", page.headers["content-length"])
    connection.close()
