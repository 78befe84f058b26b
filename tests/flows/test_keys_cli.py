"""`agent-memory keys`: made, listed and disabled beside a running server, and what the printed lines are worth."""

from __future__ import annotations

import argparse
import ast
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent_memory.adapters.dynamodb_table import DynamoTable, create_table
from agent_memory.adapters.dynamodb_table import make_client as dynamodb_client
from agent_memory.adapters.key_file_box import KeyFileBox
from agent_memory.adapters.kms_box import KmsBox
from agent_memory.adapters.kms_box import make_client as kms_client
from agent_memory.adapters.meter import Meter
from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.errors import AuthFailed
from agent_memory.local.client_lines import client_lines
from agent_memory.local.keys_cli import Workplace, add_parser
from agent_memory.signin.authenticate import authenticate, call_of
from agent_memory.signin.keyring import MAX_PAGE, Keyring
from agent_memory.signin.new_keys import first_access_key
from tests.core.signed_calls import api_key, signed_headers
from tests.stand_ins import START_MS

REGION = "eu-central-1"
BODY = '{"memoryStoreName":"店"}'.encode()


def embedded_keyring(data: Path) -> Keyring:
    """What a process on this data directory has."""
    data.mkdir(exist_ok=True)
    table = SqliteTable(data / "memories.sqlite3", now=lambda: START_MS / 1_000)
    return Keyring(table, lambda: KeyFileBox(data / "access-keys.key"))


class CommandLine:
    """Runs `keys` in this process, each time on a table opened anew."""

    def __init__(self, open_keyring: Any, capsys: pytest.CaptureFixture[str]) -> None:
        self._open = open_keyring
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """(exit code, stdout, stderr)."""
        parser = argparse.ArgumentParser(prog="agent-memory")
        add_parser(parser.add_subparsers(), lambda options: Workplace(self._open(options), lambda: START_MS))
        try:
            options = parser.parse_args(["keys", *arguments])
            code = options.command(options)
        except SystemExit as ended:
            code = ended.code
        shown = self._capsys.readouterr()
        return code, shown.out, shown.err

    def made(self, *arguments: str) -> dict[str, str]:
        """The one JSON object of `keys create`."""
        code, out, err = self("create", "--json", *arguments)
        assert (code, err) == (0, "")
        return json.loads(out)

    def listed(self, *arguments: str) -> list[dict[str, Any]]:
        """What `keys list` shows."""
        code, out, _ = self("list", "--json", *arguments)
        assert code == 0
        return json.loads(out)["keys"]


@pytest.fixture
def keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line on data directories below the test's own."""
    return CommandLine(lambda options: embedded_keyring(tmp_path / (options.data or "data")), capsys)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Keyring]:
    """The keyring of a server that was started before."""
    keyring = embedded_keyring(tmp_path / "data")
    with closing(keyring.table):  # type: ignore[type-var]
        yield keyring


def sign_in(keyring: Keyring, made: dict[str, str], region: str = "") -> Any:
    """The caller of a request with the key that was printed."""
    if "apiKey" in made:
        headers = {"Authorization": f"Bearer {made['apiKey']}"}
    else:
        instance = {"x_ots_instancename": made["instance"]}
        headers = signed_headers(
            made["accessKeyId"], made["accessKeySecret"], BODY, "GetMemoryStore", region, **instance
        )
    return authenticate(call_of("GetMemoryStore", headers, BODY, START_MS), keyring, required=True)


@pytest.mark.parametrize("kind", ["access-key", "api-key"])
def test_a_key_made_beside_a_running_server_works_there_until_it_is_disabled(keys, server, kind):
    """The server reads the key with every call."""
    made = keys.made("--type", kind)
    caller = sign_in(server, made)
    assert caller.instance == "default"
    assert keys("disable", caller.key_id) == (0, f"{caller.key_id} is disabled\n", "")
    with pytest.raises(AuthFailed, match="disabled"):
        sign_in(server, made)
    assert [key["state"] for key in keys.listed()] == ["disabled"]


def test_json_has_id_and_secret_under_their_names(keys):
    """One object per command."""
    assert set(keys.made("--type", "access-key")) == {"accessKeyId", "accessKeySecret", "instance"}
    assert set(keys.made("--type", "api-key", "--instance", "team_a-1")) == {"keyId", "apiKey", "instance"}


def test_limits_expiry_and_note_are_kept(keys, server):
    """As the options say; a list shows them, in Chinese too."""
    options = ["--store", "mem", "--store", "other", "--scope", "店/用户", "--scope", "shop", "--read-only"]
    more = ["--operation", "GetMemory", "--expires", "30d", "--note", "给客服机器人 🦐\x1b[31m"]
    made = keys.made("--type", "api-key", *options, *more)
    (shown,) = keys.listed()
    assert shown == {
        "keyId": made["keyId"],
        "type": "api-key",
        "instance": "default",
        "state": "active",
        "createdAt": "2026-11-30T10:00:00Z",
        "expiresAt": "2026-12-30T10:00:00Z",
        "limits": {
            "stores": ["mem", "other"],
            "scopes": ["店/用户", "shop"],
            "operations": ["GetMemory"],
            "readOnly": True,
        },
        "note": "给客服机器人 🦐[31m",
    }
    limits = sign_in(server, made).limits
    assert limits.allows_scope(("店", "用户", "*", "*"))
    assert not limits.allows_scope(("店", "*", "*", "*"))


def test_a_list_shows_no_secret(keys):
    """Neither readable nor sealed nor hashed, in both forms."""
    signing, bearing = keys.made("--type", "access-key"), keys.made("--type", "api-key", "--note", "虾")
    for form in ((), ("--json",)):
        _, out, _ = keys("list", *form)
        assert signing["accessKeyId"] in out
        assert bearing["keyId"] in out
        assert signing["accessKeySecret"] not in out
        assert bearing["apiKey"][-43:] not in out
        assert "secret" not in out


def test_people_get_the_secret_once_with_a_word_of_warning(keys):
    """Without --json."""
    code, out, _ = keys("create", "--type", "access-key")
    assert code == 0
    assert "accessKeySecret" in out
    assert "copy it now" in out


def test_a_long_list_is_whole(keys, server):
    """Over several pages."""
    made = sorted(api_key(server).record.key_id for _ in range(MAX_PAGE + 1))
    assert [key["keyId"] for key in keys.listed()] == made
    assert keys("list", "--data", "empty") == (0, "there are no keys\n", "")


def test_people_see_a_line_per_key(keys):
    """State, expiry, limits and note."""
    made = keys.made(
        "--type", "api-key", "--scope", "店/用户", "--expires", "2027-01-01T00:00:00+08:00", "--note", "虾"
    )
    line = f'{made["keyId"]}  api-key  default  active  2026-12-31T16:00:00Z  {{"scopes": ["店/用户"]}}  虾\n'
    assert keys("list") == (0, line, "")


def test_every_data_directory_has_its_own_keys(keys, server):
    """A key of one is unknown in the other."""
    made = keys.made("--type", "access-key", "--data", "elsewhere")
    with pytest.raises(AuthFailed):
        sign_in(server, made)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--type", "password"],
        ["--instance", "a b"],
        ["--instance", "店"],
        ["--store", "no-dash"],
        ["--scope", "shop/"],
        ["--scope", "shop/*"],
        ["--scope", "*"],
        ["--scope", "/u42"],
        ["--scope", "a/b/c"],
        ["--operation", "DropTable"],
        ["--expires", "soon"],
        ["--expires", "2026-11-30T10:00:00Z"],
        ["--expires", "0d"],
        ["--note", "x" * 257],
        ["--store", "s", *["--store", "s"] * 100],
    ],
    ids=lambda arguments: " ".join(arguments[:2])[:30],
)
def test_wrong_options_end_with_2_and_make_no_key(keys, server, arguments):
    """One line on stderr says what is wrong; nothing on stdout."""
    code, out, err = keys("create", "--type", "api-key", "--json", *arguments)
    assert (code, out) == (2, "")
    assert err
    assert "Traceback" not in err
    assert server.page().records == ()


def test_an_unknown_id_ends_with_1(keys):
    """Hostile ones too."""
    for key_id in ("AMunknown", "%2F", "a'b", "x" * 10_000):
        code, out, err = keys("disable", key_id)
        assert (code, out) == (1, "")
        assert err == "agent-memory: there is no key of that id\n"


def test_a_key_file_that_others_may_read_stops_access_keys(keys, tmp_path):
    """With one line that tells what to do."""
    keys.made("--type", "access-key")
    (tmp_path / "data" / "access-keys.key").chmod(0o644)
    code, _, err = keys("create", "--type", "access-key")
    assert code == 1
    assert "chmod 600" in err


def test_the_printed_lines_point_each_client_at_the_server(server):
    """The Python lines are Python, the export line is shell, and the key in them signs in."""
    made = first_access_key(server, START_MS)
    lines = client_lines("http://127.0.0.1:8787", made)
    assert len([line for line in lines if line.endswith(":") and not line.startswith(" ")]) == 4
    endpoint, key_id, secret, instance = [
        ast.literal_eval(each) for each in ast.parse(lines[1].strip()).body[0].value.args
    ]
    assert (endpoint, instance) == ("http://127.0.0.1:8787", "default")
    printed = {"accessKeyId": key_id, "accessKeySecret": secret, "instance": instance}
    assert sign_in(server, printed).key_id == key_id
    ast.parse(" ".join(line.strip() for line in lines[3:5]))
    words = shlex.split(lines[-1].strip())
    variables = dict(word.split("=", 1) for word in words[1:])
    assert words[0] == "export"
    assert variables["TABLESTORE_ACCESS_KEY_SECRET"] == secret
    assert sign_in(server, printed, region=variables["TABLESTORE_REGION"]).key_id == key_id


def test_keys_on_dynamodb_and_kms(capsys):
    """The same commands with a table and a KMS key on AWS (moto)."""
    from moto import mock_aws

    with mock_aws():
        client = dynamodb_client(REGION)
        create_table(client, "memories")
        table = DynamoTable(client, "memories", pause=lambda _: None, random=lambda: 0.5, meter=Meter())
        kms = kms_client(REGION)
        box = KmsBox(kms, kms.create_key()["KeyMetadata"]["KeyId"])
        keyring = Keyring(table, lambda: box)
        keys = CommandLine(lambda options: keyring, capsys)
        for kind in ("access-key", "api-key"):
            made = keys.made("--type", kind, "--note", "虾")
            assert keys("disable", sign_in(keyring, made).key_id)[0] == 0
            with pytest.raises(AuthFailed, match="disabled"):
                sign_in(keyring, made)
        assert first_access_key(keyring, START_MS) is None
        assert len(keys.listed()) == 2


def test_help_needs_no_heavy_module():
    """The parser is built by every command of the command line."""
    heavy = "{'pydantic', 'boto3', 'cryptography'}"
    code = f"import sys, agent_memory.local.keys_cli; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
