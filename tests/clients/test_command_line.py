"""The official command line, unmodified, against the server: commands, outputs, exit codes, sources of settings."""

from __future__ import annotations

import uuid
from dataclasses import replace
from pathlib import Path

from tests.clients.command_line import CommandLine, bearing, configured, signing
from tests.clients.commands import EXACT, TENANT, Commands
from tests.clients.operations import SAID
from tests.clients.outcomes import Outcomes
from tests.clients.served import Served

GROUP = "command line"


def test_an_access_key_in_the_environment_runs_every_command(plain: Served, tmp_path: Path) -> None:
    """Signed in version 4, JSON output."""
    walk("access key v4", signing(tmp_path, plain), tmp_path)


def test_an_api_key_over_tls_runs_every_command(secure: Served, tmp_path: Path) -> None:
    """Which the command line accepts for https only."""
    walk("API key, TLS", bearing(tmp_path, secure), tmp_path)


def test_configure_set_runs_every_command(plain: Served, tmp_path: Path) -> None:
    """The settings come from the file that `configure set` writes."""
    walk("configure set", configured(tmp_path, plain), tmp_path)


def test_commands_say_ok_to_people(plain: Served, tmp_path: Path) -> None:
    """With --human the outcome goes to stderr, in words."""
    cli, outcomes, store = signing(tmp_path, plain), Outcomes("command line --human", "access key v4"), new_store()
    commands = {
        "doctor memory": ("doctor", "memory"),
        "memory create": ("memory", "create", "--store", store),
        "memory list": ("memory", "list"),
        "memory describe": ("memory", "describe", "--store", store),
        "memory update": ("memory", "update", "--store", store, "--description", "x"),
        "memory add": ("memory", "add", "--store", store, *EXACT, "--text", SAID, "--sync"),
        "memory search": ("memory", "search", "--store", store, *TENANT, "--query", "花生"),
        "memory list-units": ("memory", "list-units", "--store", store, *EXACT),
        "memory msg-list": ("memory", "msg-list", "--store", store, *EXACT),
        "memory req-list": ("memory", "req-list", "--store", store, *EXACT),
        "memory scope-list": ("memory", "scope-list", "--store", store, *TENANT),
        "memory task list": ("memory", "task", "list", "--store", store, *EXACT),
        "memory delete": ("-y", "memory", "delete", "--store", store),
    }
    for row, command in commands.items():
        with outcomes.of(row):
            ran = cli("--human", *command)
            assert (ran.exit_code, ran.said) == (0, {}), ran.stderr
            assert "OK" in ran.stderr or "pass" in ran.stderr.lower(), ran.stderr
    outcomes.verdict()


def test_errors_have_their_exit_codes(plain: Served, tmp_path: Path) -> None:
    """2 invalid, 3 missing, 4 not allowed, 5 taken, 11 no server; in both outputs."""
    cli, outcomes, store = signing(tmp_path, plain), Outcomes("command line exit codes", "access key v4"), new_store()
    create = ("memory", "create", "--store", store)
    assert cli(*create).exit_code == 0
    wrong = with_settings(cli, TABLESTORE_ACCESS_KEY_SECRET="wrong")
    stranger = with_settings(cli, TABLESTORE_ACCESS_KEY_ID="nobody")
    nowhere = with_settings(cli, TABLESTORE_ENDPOINT="http://127.0.0.1:9")
    search = ("memory", "search", "--store", store, "--app-id", "*", "--query", "x")
    cases = {
        "2: a scope that is not allowed": (cli, search, 2, "INVALID_PARAMETER"),
        "2: a store's name that is not allowed": (cli, ("memory", "create", "--store", "a-b"), 2, "INVALID_PARAMETER"),
        "2: an option is missing": (cli, ("memory", "describe"), 2, "BAD_REQUEST"),
        "3: no such store": (cli, ("memory", "describe", "--store", "nope"), 3, "NOT_FOUND"),
        "3: no such memory": (
            cli,
            ("memory", "get", "--store", store, "--memory-id", "f" * 32, "--by-id-only"),
            3,
            "NOT_FOUND",
        ),
        "4: a wrong secret": (wrong, ("memory", "list"), 4, "UNAUTHORIZED"),
        "4: a key that does not exist": (stranger, ("memory", "list"), 4, "UNAUTHORIZED"),
        "5: the name is taken": (cli, create, 5, "CONFLICT"),
        "11: nobody listens": (nowhere, ("memory", "list"), 11, "NETWORK_ERROR"),
    }
    for row, (run, command, exit_code, code) in cases.items():
        with outcomes.of(row):
            ran = run(*command)
            assert (ran.exit_code, ran.said.get("code")) == (exit_code, code), (ran.said, ran.stderr)
            told = run("--human", *command)
            assert told.exit_code == exit_code
            if code != "NETWORK_ERROR":  # which it prints as JSON even then
                assert told.said == {}
                assert "Error: " in told.stderr
    outcomes.verdict()


def test_dream_and_file_commands_say_that_they_are_absent(plain: Served, tmp_path: Path) -> None:
    """Their error names the operation."""
    cli, store = signing(tmp_path, plain), new_store()
    outcomes = Outcomes("command line, absent operations", "access key v4")
    assert cli("memory", "create", "--store", store).exit_code == 0
    where = ("--store", store, *EXACT)
    for row, command in {
        "memory dream list": ("memory", "dream", "list", *where),
        "memory files list": ("memory", "files", "list", *where),
    }.items():
        with outcomes.of(f"{row}: refused, says why"):
            ran = cli(*command)
            assert ran.exit_code != 0
            assert "ListMemoryDreamTasks" in ran.said["message"] or "ListItems" in ran.said["message"]
    outcomes.verdict()


def walk(column: str, cli: CommandLine, folder: Path) -> None:
    """All commands; fails with all that did not work."""
    outcomes = Outcomes(GROUP, column)
    Commands(cli, outcomes, folder).walk()
    outcomes.verdict()


def new_store() -> str:
    """A name that no other test takes."""
    return f"e_{uuid.uuid4().hex[:12]}"


def with_settings(cli: CommandLine, **settings: str) -> CommandLine:
    """The same, but for these."""
    return replace(cli, settings={**cli.settings, **settings})
