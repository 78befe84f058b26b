"""Keeps web pages away from a server that serves anybody on this machine.

Any page that a person opens could otherwise send requests to a loopback port (cross-site requests), or read the answers
after its own name was made to point there (DNS rebinding). Where callers sign in this is not needed.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from agent_memory.errors import PermissionDenied
from agent_memory.http import STATUS_OF_CODE, response

Handler = Callable[[dict[str, Any], Any], dict[str, Any]]


def guarded(handler: Handler, new_id: Callable[[], str]) -> Handler:
    """The handler, behind the check of where its requests come from."""

    def guard(event: dict[str, Any], context: Any) -> dict[str, Any]:
        try:
            check_browser(event["headers"])
        except PermissionDenied as error:
            request_id = new_id()
            answer = {"code": error.code, "message": error.message, "requestId": request_id}
            return response(STATUS_OF_CODE[error.code], answer, request_id)
        return handler(event, context)

    return guard


def check_browser(headers: Mapping[str, str]) -> None:
    """Raises PermissionDenied for a request under another name than this machine's, or from another site's page."""
    host, origin = headers.get("host", ""), headers.get("origin")
    if host and not is_this_machine(f"//{host}"):
        raise PermissionDenied("without sign-in the server answers to localhost and loopback addresses only")
    if origin is not None and site_of(origin) != host:
        raise PermissionDenied("without sign-in the server answers no pages of other sites")


def site_of(address: str) -> str | None:
    """Host and port of the URL; None where it is no URL."""
    try:
        return urlsplit(address).netloc
    except ValueError:
        return None


def is_this_machine(address: str) -> bool:
    """Whether the host of the URL is localhost or a loopback address; what is no URL is not."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
