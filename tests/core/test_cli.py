"""The command line without a server: help, version, wrong usage, settings."""

from __future__ import annotations

import socket
import subprocess
import sys
from importlib.metadata import version

import pytest

from agent_memory.local.cli import LOG_LEVELS, main
from agent_memory.local.embedded import LOG_LEVELS as SETTINGS_LOG_LEVELS
from agent_memory.local.embedded import CannotStart, embedded_settings
from agent_memory.local.server import ip_address, listening_socket


def test_version_prints_the_packages_version(capsys: pytest.CaptureFixture[str]) -> None:
    """As installed."""
    assert main(["version"]) == 0
    assert capsys.readouterr().out == f"agent-memory {version('agent-memory')}\n"


@pytest.mark.parametrize(
    "arguments",
    [[], ["sing"], ["serve", "--port", "many"], ["serve", "--port", "65536"], ["serve", "--log-level", "x"]],
)
def test_wrong_usage_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """argparse says what is wrong on stderr."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    """With its default."""
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for words in ("--host", "default: 127.0.0.1", "--port", "default: 8787", "--data", "--log-level"):
        assert words in text


def test_help_imports_nothing_heavy() -> None:
    """It answers at once, since the commands import what they need themselves."""
    program = (
        "import sys\nfrom agent_memory.local.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print('imported', sorted({'pydantic', 'numpy', 'uvicorn', 'boto3', 'asyncio'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.endswith("imported []\n")


def test_the_levels_of_the_command_line_are_those_of_the_settings() -> None:
    """The command line has its own list so that help need not import settings."""
    assert LOG_LEVELS == SETTINGS_LOG_LEVELS


def test_embedded_defaults_give_way_to_environment_and_arguments() -> None:
    """Arguments over environment over embedded defaults, also where the environment names Lambda's default."""
    settings = embedded_settings(None, None, {})
    assert (settings.lease_seconds, settings.sweep_after_seconds, settings.log_level) == (15, 10, "WARNING")
    environ = {"AGENT_MEMORY_LEASE_SECONDS": "60", "AGENT_MEMORY_DATA_DIR": "/env", "AGENT_MEMORY_LOG_LEVEL": "info"}
    settings = embedded_settings(None, None, environ)
    assert (settings.lease_seconds, settings.data_dir, settings.log_level) == (60, "/env", "INFO")
    settings = embedded_settings("/argument", "ERROR", environ)
    assert (settings.data_dir, settings.log_level) == ("/argument", "ERROR")


def test_requests_do_not_wait_for_acknowledgements() -> None:
    """asyncio sets TCP_NODELAY only on sockets whose protocol is named; without it each answer takes 40 ms longer."""
    with listening_socket("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_addresses() -> None:
    """An IP address, or localhost for the one of IPv4."""
    hosts = ("localhost", "127.9.9.9", "::1", "0.0.0.0")
    assert [(str(ip_address(host)), ip_address(host).is_loopback) for host in hosts] == [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("0.0.0.0", False),
    ]
    with pytest.raises(CannotStart):
        ip_address("example.com")
