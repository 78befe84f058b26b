"""Imports that are interrupted, overtaken, limited or fed with hostile lines; the command line."""

from __future__ import annotations

import argparse
import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent_memory import keys
from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.errors import ServiceUnavailable
from agent_memory.local.transfer_cli import add_parser
from agent_memory.requests.fields import INSTANCE_HEADER
from agent_memory.requests.transfer import ImportMemoriesRequest
from agent_memory.services import Services
from agent_memory.signin.caller import Caller
from agent_memory.signin.limits import Limits, ScopeLimit
from agent_memory.use_cases.import_memories import import_memories
from tests.conftest import Service, make_service
from tests.flows.moving_store import SCOPES, bring, export, filled, fresh, kinds
from tests.stand_ins import WordEmbedder


@pytest.fixture
def full(service: Service) -> Service:
    return filled(service)


class Interposed:
    """A table that calls `before` and `after` around each write, with the number of the write."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.writes = 0
        self.before: Callable[[int], None] = lambda number: None
        self.after: Callable[[int], None] = lambda number: None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.table, name)

    def write(self, writes: Any) -> None:
        self.writes += 1
        self.before(self.writes)
        self.table.write(writes)
        self.after(self.writes)


def interposed(store: str = "other") -> tuple[Service, Interposed]:
    """A fresh service and the table in it that can be told to fail."""
    service = fresh(store)
    table = Interposed(service.services.table)
    service.services.__dict__["table"] = table
    return service, table


@pytest.mark.parametrize("lost", ["the write", "the answer"])
def test_an_import_that_dies_anywhere_is_finished_by_sending_the_lines_again(full: Service, lost: str) -> None:
    """Whole records only at any time, none twice, and in the end all of them."""
    lines = export(full)
    number = 0
    while True:
        number += 1
        other, table = interposed()

        def die(at: int, number: int = number) -> None:
            if at == number:
                raise ServiceUnavailable("the machine is gone")

        if lost == "the write":
            table.before = die
        else:
            table.after = die
        status, _ = other.call("ImportMemories", {"memoryStoreName": "other", "lines": "\n".join(lines)})
        if status == 200:
            break
        assert status == 503
        assert set(export(other, "other")[1:]) < set(lines[1:]) or lost == "the answer"
        assert set(export(other, "other")[1:]) <= set(lines[1:])
        assert bring(other, lines, "other")[2] == []
        assert export(other, "other")[1:] == lines[1:]
        assert other.search("虾 过敏", store="other", scope=SCOPES[1])
    assert number > 3


def test_other_writers_are_waited_for(full: Service) -> None:
    """A memory that appears, a scope that is deleted, a message that is added: the batch is decided anew."""
    lines = export(full)
    other, table = interposed()
    rival = iter(range(3))

    def overtake(_at: int) -> None:
        if next(rival, None) is not None:
            table.before = lambda number: None
            other.clock.advance(1)
            other.add("I moved to Hamburg in March 2021.", store="other", scope=SCOPES[0])
            other.drain()
            table.before = overtake

    table.before = overtake
    assert bring(other, lines, "other")[2] == []
    assert set(lines[1:]) - set(export(other, "other")) <= {line for line in lines if "Hamburg" in line}


def test_a_store_that_goes_ends_the_import(full: Service) -> None:
    """404, and nothing below a store that is not there."""
    other, table = interposed()

    def remove(at: int) -> None:
        table.before = lambda number: None
        if at == 2:
            other.ok("DeleteMemoryStore", {"memoryStoreName": "other"})
        else:
            table.before = remove

    table.before = remove
    body = {"memoryStoreName": "other", "lines": "\n".join(export(full))}
    assert other.refused("ImportMemories", body)[0] == 404


def test_an_import_that_takes_long_is_continued_by_the_same_call(full: Service) -> None:
    """503 that official clients retry, with everything done so far kept."""
    other, table = interposed()
    table.after = lambda _: other.clock.advance(10)
    body = {"memoryStoreName": "other", "lines": "\n".join(export(full))}
    answers = [other.call("ImportMemories", body)[0] for _ in range(6)]
    assert answers[0] == 503
    assert answers[-1] == 200
    assert sorted(answers, reverse=True) == answers
    assert other.call("ImportMemories", body)[1]["imported"] == 0


def line_of(kind: str, lines: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = next(json.loads(line) for line in lines if f'"type":"{kind}"' in line)
    return found


def other_id() -> str:
    return keys.tenant_hash("shop", "another") + "0" * 20


HOSTILE: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("message", lambda line: line | {"type": "task"}, "type is none of"),
    ("message", lambda line: line | {"format": 2}, "format must be 1"),
    ("message", lambda line: line | {"format": None}, "format must be 1"),
    ("message", lambda line: line | {"born": [9, 9]}, "born is not a known field"),
    ("message", lambda line: line | {"scope": {"appId": "*"}}, "scope.appId must not be '*'"),
    ("message", lambda line: line | {"scope": {"appId": "a/b"}}, "scope.appId must not contain"),
    ("message", lambda line: line | {"scope": {"appId": "虾" * 43}}, "scope.appId must be at most 128 bytes"),
    ("message", lambda line: line | {"scope": []}, "scope must be an object"),
    ("message", lambda line: line | {"logKey": "gone"}, "logKey must be"),
    ("message", lambda line: line | {"logKey": line["logKey"][:-1] + "x"}, "logKey must be"),
    ("message", lambda line: line | {"logKey": line["logKey"].replace("/0", "/1", 1)}, "logKey does not fit"),
    ("message", lambda line: put(line, "message.messageId", "another"), "logKey does not fit"),
    ("message", lambda line: put(line, "message.timestamp", "2001-01-01T00:00:00Z"), "logKey does not fit"),
    ("message", lambda line: put(line, "message.timestamp", "now"), "message.timestamp must be an RFC 3339"),
    ("message", lambda line: put(line, "message.content", "虾" * 140_000), "message.content must be at most"),
    ("message", lambda line: put(line, "message.content", "\ud800"), "is not JSON"),
    ("message", lambda line: put(line, "message.content", "a\x00b"), "message.content must be NFC"),
    ("message", lambda line: put(line, "message.content", 7), "message.content must be a string"),
    ("message", lambda line: put(line, "message.content", None), "message.content must be a string"),
    ("message", lambda line: put(line, "message.role", ""), "message.role must be 1 to 64"),
    ("message", lambda line: put(line, "message.metadata", {str(n): "" for n in range(17)}), "message.metadata must"),
    ("message", lambda line: put(line, "message.metadata", {"k": "v" * 65_536}), "message.metadata must"),
    ("message", lambda line: put(line, "message.metadata", {"k": 1}), "message.metadata.k must be a string"),
    ("message", lambda line: put(line, "message.expiresAt", "9999-99-99"), "message.expiresAt must be"),
    ("memory", lambda line: put(line, "memory.id", other_id()), "memory.id is not one of the tenant"),
    ("memory", lambda line: put(line, "memory.id", "../gone"), "memory.id must be 32"),
    ("memory", lambda line: put(line, "memory.scope.tenantId", "another"), "memory.id is not one of the tenant"),
    ("memory", lambda line: put(line, "memory.born", [1, 7]), "memory.born is the store's own"),
    ("memory", lambda line: put(line, "memory.version", 10**30), "memory.version must be"),
    ("memory", lambda line: put(line, "memory.version", 0), "memory.version must be"),
    ("memory", lambda line: put(line, "memory.version", 1.5), "memory.version must be a whole number"),
    ("memory", lambda line: put(line, "memory.version", "1"), "memory.version must be a whole number"),
    ("memory", lambda line: put(line, "memory.seen_count", -1), "memory.seen_count must be"),
    ("memory", lambda line: put(line, "memory.salience", float("inf")), "memory.salience must be a finite number"),
    ("memory", lambda line: put(line, "memory.salience", 2), "memory.salience must be"),
    ("memory", lambda line: put(line, "memory.salience", value=True), "memory.salience must be a number"),
    ("memory", lambda line: put(line, "memory.created_at", "2024"), "memory.created_at must be an RFC 3339"),
    ("memory", lambda line: put(line, "memory.effective_at", "soon"), "memory.effective_at must be an RFC 3339"),
    ("memory", lambda line: put(line, "memory.time_precision", "week"), "memory.time_precision must"),
    ("memory", lambda line: put(line, "memory.layer", "root"), "memory.layer must"),
    ("memory", lambda line: put(line, "memory.text", "x" * 400_000), "memory.text must be at most"),
    ("memory", lambda line: put(line, "memory.text", "a\x1bb"), "memory.text must not contain control"),
    ("memory", lambda line: put(line, "memory.keywords", ["k"] * 33), "memory.keywords must"),
    ("memory", lambda line: put(line, "memory.source_turn_refs", [{}]), "memory.source_turn_refs[0].message_id is"),
    ("memory", lambda line: put(line, "memory.admin", value=True), "memory.admin is not a known field"),
    ("memory", lambda line: line | {"vector": {"model": "m", "float16": "!"}}, "vector.float16 must be base64"),
    ("memory", lambda line: line | {"vector": {"model": "m", "float16": ""}}, "vector.float16 must be 1 to"),
    ("memory", lambda line: line | {"vector": vector(b"\x00\x7e" * 64)}, "vector.float16 must be 1 to"),
    ("memory", lambda line: line | {"vector": vector(b"\x00" * 128)}, "vector.float16 must be 1 to"),
    ("memory", lambda line: line | {"vector": vector(b"\x00\x3c" * 5_000)}, "vector.float16 must"),
    ("memory", lambda line: [line], "must be an object"),
    ("memory", lambda line: json.dumps(line)[:-1], "is not JSON"),
    ("memory", lambda line: json.dumps(line) + "}", "is not JSON"),
    ("memory", lambda line: json.dumps(line).replace('"version": 1', f'"version": {"9" * 5_000}'), "is not JSON"),
    ("memory", lambda line: json.dumps(line).replace('"version": 1', '"version": ' + "[" * 50_000), "is not JSON"),
    ("memory", lambda line: "\x00", "is not JSON"),
    ("memory", lambda line: '{"type":"memory","\ud800":1}', "is not UTF-8"),
    ("history", lambda line: put(line, "actor", ""), "actor must"),
    ("history", lambda line: put(line, "replacedAt", 5), "replacedAt must be a string"),
    ("history", lambda line: line, "memory.id has no memory in the store"),
    ("history", lambda line: put(line, "memory.id", other_id()), "memory.id is not one of the tenant"),
    ("store", lambda line: put(line, "exportedAt", "x"), "exportedAt must be an RFC 3339"),
]


def put(line: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The line with another value at the path."""
    name, _, rest = path.partition(".")
    return {**line, name: put(line[name], rest, value) if rest else value}


def vector(packed: bytes) -> dict[str, str]:
    return {"model": "words-1", "float16": b64encode(packed).decode()}


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_a_hostile_line_is_refused_by_its_number_and_the_others_are_taken(full: Service, number: int) -> None:
    """What is wrong is named; the good lines around it arrive, and the bad one leaves nothing."""
    kind, spoil, problem = HOSTILE[number]
    lines = export(full, scope=SCOPES[3])
    bad = spoil(line_of(kind, lines))
    text = bad if isinstance(bad, str) else json.dumps(bad)
    other = fresh()
    assert bring(other, [text], "other")[:2] == (0, 0)
    imported, skipped, failed = bring(other, [*lines[:4], text, *lines[4:]], "other", onConflict="replace")
    if "has no memory in the store" not in problem:
        assert [each["line"] for each in failed] == [5]
        assert failed[0]["message"].startswith(problem)
        assert (imported, skipped) == (len(lines) - 1, 1)
    assert export(other, "other")[1:] == lines[1:]
    other.search("虾 过敏", store="other", scope=SCOPES[3])


def test_a_history_line_needs_its_memory(full: Service) -> None:
    """Alone it is refused; with a memory that was deleted here it is skipped; a later version than the memory too."""
    lines = export(full, scope=SCOPES[0])
    history = [line for line in lines if '"type":"history"' in line]
    memory = next(line for line in lines if '"type":"memory"' in line and '"version":4' in line)
    other = fresh()
    assert [each["line"] for each in bring(other, history, "other")[2]] == [1, 2]
    assert bring(other, [memory, *history], "other") == (3, 0, [])
    late = put(json.loads(history[0]), "memory.version", 4)
    assert bring(other, [json.dumps(late)], "other", onConflict="replace") == (0, 1, [])
    other.ok("DeleteMemory", {"memoryStoreName": "other", "memoryId": json.loads(memory)["memory"]["id"]})
    assert bring(other, [memory, *history], "other") == (0, 3, [])
    assert bring(other, [memory, *history], "other", onConflict="replace") == (3, 0, [])


def test_a_history_line_may_stand_before_its_memory_once_that_is_stored(full: Service) -> None:
    """Also when the line of the memory behind it takes the memory's place in the same transaction."""
    lines = export(full, scope=SCOPES[0])
    history = [line for line in lines if '"type":"history"' in line]
    memory = next(line for line in lines if '"type":"memory"' in line and '"version":4' in line)
    other = fresh()
    assert bring(other, [memory], "other") == (1, 0, [])
    changed = json.dumps(put(json.loads(memory), "memory.title", "another"))
    assert bring(other, [*history, changed], "other", onConflict="replace") == (3, 0, [])
    assert [json.loads(line)["memory"]["version"] for line in export(other, "other")[1:]] == [5, 2, 3]


def test_a_key_imports_into_its_own_scopes_only(full: Service) -> None:
    """Lines of other tenants are refused one by one, and so are lines outside the scope that the call names."""
    lines = export(full)
    other = fresh()
    limits = Limits(scopes=(ScopeLimit(app_id="应用"),))
    body = {"memoryStoreName": "other", "lines": "\n".join(lines), INSTANCE_HEADER: "default"}
    request = ImportMemoriesRequest.model_validate(body, by_alias=True, by_name=False)
    answer = import_memories(request.asked_by(Caller("default", "k", limits)), other.services)
    own = [line for line in lines if "应用" in line]
    assert (answer["imported"], answer["skipped"], len(answer["failed"])) == (len(own), 1, len(lines) - len(own) - 1)
    assert {each["message"] for each in answer["failed"]} == {"lies outside the scope of this call"}
    assert export(other, "other")[1:] == own
    imported, _, failed = bring(other, lines, "other", scope={"appId": "shop", "tenantId": "t%2F1"})
    assert imported == len([line for line in lines if "t%2F1" in line])
    assert imported + len(failed) + 1 == len(lines)


def test_a_vector_of_another_length_is_made_anew(full: Service) -> None:
    """Same model name, other dimension: what the embedder of the store says counts."""
    lines = export(full, scope=SCOPES[3], vectors=True)
    wrong = [
        line if '"type":"memory"' not in line else json.dumps(json.loads(line) | {"vector": vector(b"\x00\x3c")})
        for line in lines
    ]
    embedder = WordEmbedder()
    other = fresh(embedder=embedder)
    assert bring(other, wrong, "other")[2] == []
    assert embedder.calls
    assert export(other, "other", vectors=True)[1:] == lines[1:]


class CommandLine:
    """Runs `export` and `import` in this process on a service."""

    def __init__(self, service: Service, capfd: pytest.CaptureFixture[str]) -> None:
        self.service = service
        self.capfd = capfd

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """(exit code, stdout, stderr)."""
        parser = argparse.ArgumentParser(prog="agent-memory")
        add_parser(parser.add_subparsers(), self._opened)
        options = parser.parse_args(arguments)
        code = options.command(options)
        shown = self.capfd.readouterr()
        return code, shown.out, shown.err

    @contextmanager
    def _opened(self, options: argparse.Namespace) -> Iterator[Services]:
        yield self.service.services


def test_the_command_line_carries_a_store_over(
    full: Service, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """To a file, into a store that it makes with the settings of the first, and from stdout the same lines."""
    full.ok("UpdateMemoryStore", {"memoryStoreName": "mem", "description": "商店的记忆", "defaultTtlSeconds": 900_000})
    file = tmp_path / "mem.jsonl"
    assert CommandLine(full, capfd)("export", "--store", "mem", "--output", str(file)) == (0, "", "40 lines\n")
    assert file.read_text("utf-8").split("\n")[:-1] == export(full)
    code, out, _ = CommandLine(full, capfd)("export", "--store", "mem", "--scope", "shop/t1", "--include", "messages")
    assert (code, kinds(out.split("\n")[:-1])) == (0, {"store": 1, "message": 10})
    target = make_service()
    target.clock.advance(60)
    run = CommandLine(target, capfd)
    assert run("import", "--store", "copy", "--input", str(file))[0] == 1
    assert run("import", "--store", "copy", "--create", "--input", str(file)) == (
        0,
        "imported 39, skipped 1, failed 0\n",
        "",
    )
    assert run("import", "--store", "copy", "--create", "--input", str(file))[1] == "imported 0, skipped 40, failed 0\n"
    made = target.ok("GetMemoryStore", {"memoryStoreName": "copy"})
    assert (made["description"], made["defaultTtlSeconds"]) == ("商店的记忆", 900_000)
    assert export(target, "copy")[1:] == export(full)[1:]


def test_the_command_line_names_bad_lines(full: Service, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With their number in the file, though they go in parcels; bytes that are no UTF-8, and endless lines, too."""
    lines = [line.encode() for line in export(full)]
    many = [lines[0]] * 450
    file = tmp_path / "bad.jsonl"
    file.write_bytes(b"\n".join([*many, b"\xff\xfe", *lines, b" " * 7_000_000 + b"{}", b"{", *lines]))
    code, out, err = CommandLine(fresh(), capfd)("import", "--store", "other", "--input", str(file))
    assert (code, out) == (1, "imported 39, skipped 491, failed 3\n")
    assert err.split("\n")[:-1] == [
        "agent-memory: line 451: is not UTF-8",
        "agent-memory: line 492: is not JSON",
        "agent-memory: line 493: is not JSON",
    ]


def test_an_export_that_stops_says_how_to_go_on(
    full: Service, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The file holds whole pages, and with the token the rest is put behind them."""
    for number in range(120):
        full.add([{"role": "user", "content": f"{number} " + "虾" * 10_000}], infer=False)
        full.clock.advance(1)
    expected = export(full)
    file = tmp_path / "mem.jsonl"
    table = full.services.table
    full.services.__dict__["table"] = Dying(table, pages=2)
    code, _, err = CommandLine(full, capfd)("export", "--store", "mem", "--output", str(file))
    assert code == 1
    token = err.split("--resume ")[1].split("\n")[0]
    full.services.__dict__["table"] = table
    assert CommandLine(full, capfd)("export", "--store", "mem", "--output", str(file), "--resume", token)[0] == 0
    assert file.read_text("utf-8").split("\n")[1:-1] == expected[1:]
    assert (
        CommandLine(full, capfd)("export", "--store", "no")[2] == "agent-memory: memoryStoreName 'no' does not exist\n"
    )


def test_the_command_line_opens_a_data_directory(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One that is there; it makes none by accident."""
    arguments = ("export", "--data", str(tmp_path / "data"), "--store", "mem")
    assert command(capfd, *arguments)[0] == 1
    assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    table = SqliteTable(tmp_path / "data" / "memories.sqlite3", now=lambda: 0.0)
    table.close()
    assert command(capfd, *arguments) == (1, "", "agent-memory: memoryStoreName 'mem' does not exist\n")
    with pytest.raises(SystemExit):
        command(capfd, *arguments, "--scope", "a/b/c/d/e")


def command(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """(exit code, stdout, stderr) of a command that opens its services itself."""
    parser = argparse.ArgumentParser(prog="agent-memory")
    add_parser(parser.add_subparsers())
    options = parser.parse_args(arguments)
    code = options.command(options)
    shown = capfd.readouterr()
    return code, shown.out, shown.err


class Dying:
    """A table that gives the store's record so many times, as each page asks for it once."""

    def __init__(self, table: Any, pages: int) -> None:
        self.table = table
        self.pages = pages

    def __getattr__(self, name: str) -> Any:
        return getattr(self.table, name)

    def get(self, wanted: Any) -> Any:
        wanted = list(wanted)
        self.pages -= keys.store("default", "mem") in wanted
        if self.pages < 0:
            raise ServiceUnavailable("the table does not answer")
        return self.table.get(wanted)
