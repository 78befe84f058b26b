"""The official client libraries, unmodified, against the server: every operation of each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.clients.client_process import ClientProcess, node_client, python_client
from tests.clients.operations import DREAM, Tour
from tests.clients.outcomes import Outcomes
from tests.clients.served import REGION, Served

GROUP = "libraries"
PLAIN: dict[str, Callable[[Served], ClientProcess]] = {
    "Python tablestore v2": lambda at: python_client("sdk", at.signing(), {}),
    "Python tablestore v4": lambda at: python_client("sdk", at.signing(REGION), {}),
    "Python tablestore async v2": lambda at: python_client("async-sdk", at.signing(), {}),
    "Python tablestore async v4": lambda at: python_client("async-sdk", at.signing(REGION), {}),
    "Python agent-storage v2": lambda at: python_client("agent-storage", at.signing(), {}),
    "Python agent-storage v4": lambda at: python_client("agent-storage", at.signing(REGION), {}),
}
NODE_HAS_NOT = ("GetMemoryTask", "ListMemoryTasks", "ListMemoryStoreScopes", *DREAM, "AddItem")
SDK_HAS_NOT = ("AddItem",)


@pytest.mark.parametrize("name", PLAIN)
def test_a_python_client_that_signs_can_call_every_operation(name: str, plain: Served) -> None:
    """Requests pass the check of their signature, and answers pass the client's check of theirs."""
    walk(name, PLAIN[name](plain), SDK_HAS_NOT if "storage" not in name else ())


def test_the_python_client_with_an_api_key_can_call_every_operation(secure: Served) -> None:
    """Over TLS, which the client insists on."""
    client = python_client("agent-storage", secure.bearing(), secure.trust())
    walk("Python agent-storage API key", client, ())


def test_the_node_client_can_call_its_operations(plain: Served) -> None:
    """It has the thirteen oldest ones."""
    walk("npm tablestore v2", node_client(plain.signing(), {}), NODE_HAS_NOT)


def walk(column: str, client: ClientProcess, without: tuple[str, ...]) -> None:
    """The tour of one client; fails with all that did not work."""
    outcomes = Outcomes(GROUP, column)
    with client:
        Tour(client.call, outcomes, without).walk()
    outcomes.verdict()
