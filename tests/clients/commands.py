"""The `memory` commands of the command line, in an order that a person could type them; each checks what it printed."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from pathlib import Path

from tests.clients.command_line import CommandLine, Ran
from tests.clients.operations import ENDED, MESSAGES, SAID, SCOPE, WAIT_STEPS
from tests.clients.outcomes import Outcomes
from tests.flows.server_process import wait_until

FLAGS = {"appId": "--app-id", "tenantId": "--tenant-id", "agentId": "--agent-id", "runId": "--run-id"}
EXACT = [part for level, flag in FLAGS.items() for part in (flag, SCOPE[level])]
TENANT = EXACT[:4]
CONTEXT = ("--context-scope", json.dumps(SCOPE))
FILTER = ("--filter", '{"op":"eq","field":"runId","value":"s1"}')


class Commands:
    """One way of running the command line, through all commands, in a store of its own."""

    def __init__(self, cli: CommandLine, outcomes: Outcomes, folder: Path) -> None:
        self._cli, self._outcomes = cli, outcomes
        self._store = f"c_{uuid.uuid4().hex[:12]}"
        self._file = folder / "messages.json"
        self._file.write_text(json.dumps(MESSAGES), encoding="utf-8")
        self._task = self._memory = ""

    def walk(self) -> None:
        """All of them, and what came of each."""
        for row, step in self._steps().items():
            with self._outcomes.of(row):
                step()

    def _steps(self) -> dict[str, Callable[[], None]]:
        return {
            "doctor memory": self._doctor,
            "memory create": self._create,
            "memory list, ls": self._list_stores,
            "memory describe, show": self._describe,
            "memory update": self._update_store,
            "memory add (messages, metadata)": self._add,
            "memory add --text --sync": self._add_text,
            "memory task get, show": self._task_get,
            "memory search": self._search,
            "memory search (all options)": self._search_with_all,
            "memory list-units, ls-units": self._list_units,
            "memory get, cat": self._get,
            "memory update-unit": self._update_unit,
            "memory msg-list, ls-msgs": self._messages,
            "memory req-list, ls-reqs": self._requests,
            "memory scope-list, ls-scopes": self._scopes,
            "memory task list, ls": self._task_list,
            "memory delete-unit, rm-unit": self._delete_unit,
            "memory delete, rm": self._delete,
        }

    def _memory_command(self, *arguments: str) -> Ran:
        return self._cli("-y", "memory", *arguments, "--store", self._store)

    def _doctor(self) -> None:
        sections = self._cli("doctor", "memory").data["sections"]
        checks = {check["check"]: check["status"] for section in sections.values() for check in section}
        assert "fail" not in checks.values(), sections
        assert checks["mem_ots_connectivity"] == "pass"

    def _create(self) -> None:
        options = ("--description", "鞋店", "--input-type", "messages", "--output-types", "structured")
        assert self._memory_command("create", *options).data["memoryStoreName"] == self._store

    def _list_stores(self) -> None:
        for name in ("list", "ls"):
            items = self._cli("memory", name, "--limit", "100").data["items"]
            assert self._store in [item["memoryStoreName"] for item in items]

    def _describe(self) -> None:
        for name in ("describe", "show"):
            assert self._memory_command(name).data["description"] == "鞋店"

    def _update_store(self) -> None:
        assert "description" not in self._memory_command("update", "--description", "").data

    def _add(self) -> None:
        options = ("--messages-file", str(self._file), "--metadata", '{"channel":"web"}')
        added = self._memory_command("add", *EXACT, *options).data
        assert (added["acceptedMessages"], added["status"]) == (len(MESSAGES), "accepted")
        self._task = added["requestId"]

    def _add_text(self) -> None:
        added = self._memory_command("add", *TENANT, "--text", "The parcel is due on Friday.", "--sync").data
        assert added["scope"]["runId"] == "__default__"
        assert added["status"] == "completed"

    def _task_get(self) -> None:
        wait_until(lambda: self._state("get")["status"] in ENDED, WAIT_STEPS)
        assert self._state("show")["status"] == "completed"

    def _state(self, name: str) -> dict[str, str]:
        task: dict[str, str] = self._memory_command("task", name, "--request-id", self._task, *EXACT).data["task"]
        return task

    def _search(self) -> None:
        items = self._memory_command("search", *TENANT, "--query", "花生过敏").data["items"]
        assert "花生" in items[0]["unit"]["text"]
        self._memory = items[0]["unit"]["id"]

    def _search_with_all(self) -> None:
        options = ("--top-k", "3", "--disable-rerank", "--include-evidence")
        chosen = ("--min-score", "0", "--min-similarity", "0", "--metadata", '{"channel":"web"}', *FILTER, *CONTEXT)
        found = self._memory_command("search", *TENANT, "--query", "花生过敏", *options, *chosen).data
        assert found["items"][0]["unit"]["id"] == self._memory
        assert found["items"][0]["rankingSignals"]["sameSession"] is True
        assert found["evidence"]

    def _list_units(self) -> None:
        for name in ("list-units", "ls-units"):
            items = self._memory_command(name, *EXACT, "--limit", "100", *FILTER).data["items"]
            assert self._memory in [item["id"] for item in items]
        page = self._memory_command("list-units", *TENANT, "--agent-id", "*", "--run-id", "*", "--limit", "1").data
        follow = ("--limit", "1", "--next-token", page["nextToken"])
        rest = self._memory_command("list-units", *TENANT, "--agent-id", "*", "--run-id", "*", *follow).data
        assert rest["items"][0]["id"] != page["items"][0]["id"]

    def _get(self) -> None:
        for name, where in (("get", EXACT), ("cat", ["--by-id-only"])):
            assert self._memory_command(name, "--memory-id", self._memory, *where).data["memory"]["scope"] == SCOPE

    def _update_unit(self) -> None:
        change = ("--title", "过敏", "--keywords", "花生,鞋码", "--metadata", '{"checked":"yes"}')
        when = ("--effective-at", "2026-11", "--time-precision", "month")
        updated = self._memory_command("update-unit", "--memory-id", self._memory, *EXACT, *change, *when).data
        assert updated["memory"]["keywords"] == ["花生", "鞋码"]
        assert (updated["memory"]["effective_at"], updated["memory"]["version"]) == ("2026-11", 2)

    def _messages(self) -> None:
        for name in ("msg-list", "ls-msgs"):
            assert SAID in [item["content"] for item in self._memory_command(name, *EXACT).data["items"]]

    def _requests(self) -> None:
        for name in ("req-list", "ls-reqs"):
            wait_until(lambda name=name: self._task in self._calls(name), WAIT_STEPS)

    def _calls(self, name: str) -> list[str]:
        ran = self._memory_command(name, *EXACT, "--operation", "AddMemories")
        return [item["requestId"] for item in ran.data["items"]]

    def _scopes(self) -> None:
        for name in (("scope-list",), ("ls-scopes", "--all", "--limit", "1")):
            assert SCOPE in self._memory_command(*name, "--app-id", SCOPE["appId"]).data["items"]

    def _task_list(self) -> None:
        for name in ("list", "ls"):
            options = ("--status", "completed", "--min-timestamp", "0", "--max-timestamp", "4102444800000")
            items = self._memory_command("task", name, *EXACT, *options).data["items"]
            assert self._task in [item["requestId"] for item in items]

    def _delete_unit(self) -> None:
        assert self._memory_command("delete-unit", "--memory-id", self._memory, *EXACT).data["deleted"] is True
        assert self._memory_command("rm-unit", "--memory-id", self._memory, "--by-id-only").exit_code in (0, 3)
        assert self._memory_command("get", "--memory-id", self._memory, "--by-id-only").exit_code == 3

    def _delete(self) -> None:
        assert self._memory_command("delete").data == {"deleted": True, "memoryStoreName": self._store}
        assert self._memory_command("rm").exit_code == 3
