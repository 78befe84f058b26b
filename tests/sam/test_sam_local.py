"""`sam local` with a real Docker engine: layers below /opt, the function's own file system, the HTTP API's event."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.sam import docker_engine
from tests.sam.base_image import make_image
from tests.sam.conftest import Sam
from tests.sam.docker_engine import Engine
from tests.sam.stack import Stack
from tests.sam.stack_template import ROOT
from tests.sam.tools import ARCHITECTURE, HOST, free_port, wait_until_open

HOST_NETWORK = Path(__file__).with_name("sam_host_network.py")
STORE = {"memoryStoreName": "local_mem"}


class SamLocal:
    """`sam local` on a template whose functions call the emulators of the stack."""

    def __init__(self, sam: Sam, engine: Engine, image: str, template: Path) -> None:
        self.command = [str(sam.tools.sam.parent / "python"), str(HOST_NETWORK), "local"]
        self.options = ["--template", str(template), "--invoke-image", image, "--skip-pull-image"]
        self.options += ["--parameter-overrides", f"Architecture={ARCHITECTURE}"]
        self.environment = os.environ | sam.tools.environment() | engine.environment()

    def invoke(self, function: str, event: Path) -> dict[str, Any]:
        """The function's answer to the event."""
        command = [*self.command, "invoke", function, "--event", str(event), *self.options]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "errorType" not in done.stdout, done.stdout + done.stderr
        answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return answer

    @contextmanager
    def api(self, log: Path) -> Iterator[HTTPConnection]:
        """A connection to `sam local start-api`."""
        port = free_port()
        command = [*self.command, "start-api", "--host", HOST, "--port", str(port), *self.options]
        with (
            log.open("wb") as output,
            subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=output, stderr=output) as process,
        ):
            try:
                wait_until_open(process, port)
                yield HTTPConnection(HOST, port, timeout=180)
            finally:
                process.terminate()


@pytest.fixture(scope="module")
def sam_local(sam: Sam, stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SamLocal]:
    """With the environment that AWS would resolve written into a copy of the built template."""
    body = yaml.safe_load(stack.template.path.read_text(encoding="utf-8"))
    for name, properties in stack.template.functions().items():
        variables = stack.template.environment(name) | {"AWS_ENDPOINT_URL": stack.fronts[name].endpoint}
        body["Resources"][properties["LogicalId"]]["Properties"]["Environment"] = {"Variables": variables}
    template = stack.template.path.with_name("local.yaml")  # beside the other, for the folders that it names
    template.write_text(yaml.safe_dump(body), encoding="utf-8")
    with docker_engine.running() as engine:
        image = make_image(engine, sam.tools, tmp_path_factory.mktemp("image"))
        yield SamLocal(sam, engine, image, template)
        engine.remove_containers()


def test_invoke_makes_a_store(sam_local, stack, tmp_path):
    """`sam local invoke` with the event of the function, the example of a key replaced by the stack's."""
    event = json.loads((ROOT / "events" / "memory_stores.json").read_text(encoding="utf-8"))
    event["headers"]["x-ots-apikey"] = stack.keys.api_key
    path = tmp_path / "event.json"
    path.write_text(json.dumps(event), encoding="utf-8")
    answer = sam_local.invoke("MemoryStoresFunction", path)
    assert (answer["statusCode"], json.loads(answer["body"])["memoryStoreName"]) == (200, "shop_mem")


def test_the_api_stores_and_embeds(sam_local, stack, tmp_path):
    """`sam local start-api`: a sync AddMemories embeds with the model in /opt."""
    stack.ok("CreateMemoryStore", STORE)
    body = {**STORE, "scope": {"appId": "shop", "tenantId": "u1"}, "text": "我对虾过敏", "sync": True}
    with sam_local.api(tmp_path / "api.log") as connection:
        headers = {"content-type": "application/json", "x-ots-apikey": stack.keys.api_key}
        connection.request("POST", "/AddMemories", json.dumps(body).encode(), headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
    assert (response.status, answer["status"], answer["unitsCreated"]) == (200, "completed", 1), answer
