"""Web pages of other sites get nothing from an open server."""

from __future__ import annotations

import pytest

from agent_memory.errors import PermissionDenied
from agent_memory.local.browser_guard import check_browser, is_this_machine


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "127.0.0.1:8787"},
        {"host": "localhost:8787", "origin": "http://localhost:8787"},
        {"host": "[::1]:8787", "origin": "http://[::1]:8787"},
    ],
)
def test_clients_of_this_machine_are_served(headers: dict[str, str]) -> None:
    """Programs send no origin, the docs page sends its own."""
    assert check_browser(headers) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "rebound.example:8787"},
        {"host": "127.0.0.1:8787", "origin": "https://page.example"},
        {"host": "127.0.0.1:8787", "origin": "null"},
        {"host": "127.0.0.1:8787", "origin": "http://127.0.0.1:9999"},
        {"host": "127.0.0.1:8787", "origin": "http://[::1"},
        {"host": "127.0.0.1.page.example"},
        {"host": "[::1"},
        {"host": "127.0.0.1:8787", "origin": "http://localhost.page.example"},
    ],
)
def test_pages_of_other_sites_are_refused(headers: dict[str, str]) -> None:
    """By the name they reached us under, or by where they come from."""
    with pytest.raises(PermissionDenied):
        check_browser(headers)


@pytest.mark.parametrize("address", ["", "//", "http://", "http://[::1", "店", "http://0.0.0.0"])
def test_what_is_no_loopback_url_is_not_this_machine(address: str) -> None:
    """Nothing raises."""
    assert not is_this_machine(address)
