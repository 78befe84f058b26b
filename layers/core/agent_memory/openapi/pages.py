"""GET /openapi.json and GET /docs: the same for everybody, made once in a process, without table or sign-in."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from agent_memory.errors import MethodNotAllowed, NotFound
from agent_memory.http import STATUS_OF_CODE, Event, response
from agent_memory.openapi.page import DOCUMENT

METHODS = ("GET", "HEAD")


class Pages:
    """A Lambda handler. `pages` are the last segments of the paths that it serves, for whoever makes the routes."""

    pages = (DOCUMENT, "docs")

    def __call__(self, event: Event, context: object) -> dict[str, Any]:  # noqa: ARG002 - the shape of a handler
        """The page of the event's path."""
        about, request_id = event["requestContext"]["http"], event["requestContext"]["requestId"]
        name = event["rawPath"].rpartition("/")[2]
        if name not in self.pages:
            return _refused(NotFound("there is no such page"), request_id)
        if about["method"] not in METHODS:
            return _refused(MethodNotAllowed(f"{name} is read with GET"), request_id)
        headers, body = self._document if name == DOCUMENT else self._page
        return {
            "statusCode": 200,
            "headers": {**headers, "x-content-type-options": "nosniff", "x-ots-requestid": request_id},
            "body": body,
            "isBase64Encoded": False,
        }

    @cached_property
    def _document(self) -> tuple[dict[str, str], str]:
        from agent_memory.openapi.document import document

        text = json.dumps(document(), ensure_ascii=False, separators=(",", ":"))
        return {"content-type": "application/json", "cache-control": "no-cache"}, text

    @cached_property
    def _page(self) -> tuple[dict[str, str], str]:
        from agent_memory.openapi.page import page

        html, policy = page()
        headers = {"content-type": "text/html; charset=utf-8", "cache-control": "no-cache"}
        return {**headers, "content-security-policy": policy, "referrer-policy": "same-origin"}, html


def pages() -> Pages:
    """The handler of both."""
    return Pages()


def _refused(error: MethodNotAllowed | NotFound, request_id: str) -> dict[str, Any]:
    answer = {"code": error.code, "message": error.message, "requestId": request_id}
    made = response(STATUS_OF_CODE[error.code], answer, request_id)
    allowed = {"allow": ", ".join(METHODS)} if isinstance(error, MethodNotAllowed) else {}  # RFC 9110, 15.5.6
    return {**made, "headers": {**made["headers"], **allowed}}
