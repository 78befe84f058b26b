"""The dashboard of the official command line, unmodified: every memory page, in a browser, with data on it."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from tests.clients import programs
from tests.clients.command_line import CommandLine, signing
from tests.clients.commands import EXACT
from tests.clients.dashboard import dashboard, visit
from tests.clients.operations import MESSAGES
from tests.clients.outcomes import PASS, Outcomes
from tests.clients.pages import LONG, pages
from tests.clients.served import Served

ABSENT = ("/dream-tasks", "/wikis")  # what the service doesn't have; their pages come up all the same
BATCH = 20


def test_every_memory_page_shows_its_data(plain: Served, tmp_path: Path) -> None:
    """What the page is about is on it, no request of it failed and no error popped up."""
    programs.browser()
    cli, outcomes = signing(tmp_path, plain), Outcomes("dashboard", "access key v4")
    store, task = filled(cli, tmp_path)
    with dashboard(cli) as base:
        seen = visit(base, pages(store, task))
    for name, problems in seen.items():
        real = [problem for problem in problems if not problem.endswith(ABSENT)]
        outcomes.note(name, "; ".join(real) or PASS)
    with outcomes.of("create"):
        assert f"{store}_2" in [item["memoryStoreName"] for item in cli("memory", "list").data["items"]]
    with outcomes.of("settings-saved"):
        assert cli("memory", "describe", "--store", store).data["description"] == "大鞋店"
    outcomes.verdict()


def filled(cli: CommandLine, folder: Path) -> tuple[str, str]:
    """(a store with a short conversation of today and a long one, the task of the short one)."""
    store = f"d_{uuid.uuid4().hex[:12]}"
    assert cli("memory", "create", "--store", store, "--description", "鞋店").exit_code == 0
    said = [{name: value for name, value in message.items() if name != "timestamp"} for message in MESSAGES]
    for start in range(0, len(LONG), BATCH):
        lines = [{"role": "user", "content": line} for line in LONG[start : start + BATCH]]
        add(cli, store, lines, folder, [*EXACT[:-1], "long"])
    return store, add(cli, store, said, folder, EXACT)


def add(cli: CommandLine, store: str, messages: list[dict[str, Any]], folder: Path, scope: list[str]) -> str:
    """The task of an add that is done."""
    file = folder / "messages.json"
    file.write_text(json.dumps(messages), encoding="utf-8")
    task: str = cli("memory", "add", "--store", store, *scope, "--messages-file", str(file), "--sync").data["requestId"]
    return task
