"""One build and one running stack for all tests of the AWS side."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.sam import stack as stacks
from tests.sam.conversation import SCOPE, STORE, turns
from tests.sam.stack import Stack
from tests.sam.stack_template import ROOT, Template, read_template
from tests.sam.tools import ARCHITECTURE, Tools, find_tools

BUILD = ROOT / ".aws-sam" / "test"


@dataclass(frozen=True)
class Sam:
    """The SAM CLI, run in the checkout."""

    tools: Tools

    def run(self, *arguments: str) -> str:
        """What it prints; the test fails with that where SAM fails."""
        done = subprocess.run(
            [str(self.tools.sam), *arguments],
            cwd=ROOT,
            env=self.tools.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout


def build(tools: Tools) -> Template:
    """The template of a fresh build, its parameters those of this machine's architecture."""
    overrides = ["--parameter-overrides", f"Architecture={ARCHITECTURE}"]
    Sam(tools).run("build", "--cached", "--build-dir", str(BUILD), *overrides)
    return read_template(BUILD / "template.yaml", {"Architecture": ARCHITECTURE})


@pytest.fixture(scope="session")
def sam() -> Sam:
    return Sam(find_tools())


@pytest.fixture(scope="session")
def built(sam: Sam) -> Template:
    return build(sam.tools)


@pytest.fixture(scope="session")
def stack(sam: Sam, built: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder: Path = tmp_path_factory.mktemp("stack")
    with stacks.running(sam.tools, built, folder) as running:
        yield running


@pytest.fixture(scope="session")
def added(stack: Stack) -> dict[str, Any]:
    """The answer to AddMemories of twenty messages, in a store that was made for them."""
    stack.ok("CreateMemoryStore", STORE)
    return stack.ok("AddMemories", {**STORE, "scope": SCOPE, "messages": turns()})


@pytest.fixture(scope="session")
def extracted(stack: Stack, added: dict[str, Any]) -> dict[str, Any]:
    """The task of those messages after the worker had its job."""
    assert stack.waiting("ExtractionQueue") == 1
    assert stack.deliver("ExtractionQueue", "extraction_worker") == []
    assert stack.waiting("ExtractionQueue") == 0
    return stack.ok("GetMemoryTask", {**STORE, "requestId": added["requestId"]})["task"]
