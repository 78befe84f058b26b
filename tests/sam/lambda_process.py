"""One built function under Lambda's own runtime interface: emulator, runtime client, handler, in one process tree.

Sources: AWS Lambda developer guide, "Lambda runtime API" and "Defined runtime environment variables"; the emulator and
the runtime client are AWS's. One request at a time: like a Lambda instance, a process serves no two at once.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.sam.stack_template import Template
from tests.sam.tools import HOST, Tools, credentials, free_port, wait_until_open

PATH = "/2015-03-31/functions/function/invocations"
STOP_SECONDS = 5


@dataclass(frozen=True)
class LambdaProcess:
    """A running function."""

    name: str
    port: int
    timeout: float
    log: Path

    def invoke(self, event: Any) -> Any:
        """What the function answers; its log is in the message when it answers with an error."""
        connection = HTTPConnection(HOST, self.port, timeout=self.timeout + 10)
        try:
            connection.request("POST", PATH, json.dumps(event).encode(), {"content-type": "application/json"})
            answer = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        assert not (isinstance(answer, dict) and "errorType" in answer), f"{answer}\n{self.log.read_text()}"
        return answer


@contextmanager
def running(
    tools: Tools, template: Template, name: str, *, code: Path, endpoint: str, model: Path, log: Path
) -> Iterator[LambdaProcess]:
    """The function of the build, with the environment of the template and `endpoint` in AWS's place."""
    port, properties = free_port(), template.functions()[name]
    command = [
        *(str(tools.emulator), "--runtime-interface-emulator-address", f"{HOST}:{port}"),
        *("--runtime-api-address", f"{HOST}:{free_port()}"),
        *(str(tools.python), "-m", "awslambdaric", properties["Handler"]),
    ]
    environment = template.environment(name) | _lambda_variables(name, properties, code)
    environment |= {"PYTHONPATH": _python_path(template.layers(name), code), "AWS_ENDPOINT_URL": endpoint}
    if any((layer / model.name).is_dir() for layer in template.layers(name)):
        environment["AGENT_MEMORY_MODEL_DIR"] = str(model)  # stands for /opt, which only a container can have
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command, cwd=code, env=environment, stdout=output, stderr=output, start_new_session=True
        ) as process,
    ):
        try:
            wait_until_open(process, port)
            yield LambdaProcess(name, port, properties["Timeout"], log)
        finally:
            _stop(process)


def _lambda_variables(name: str, properties: Mapping[str, Any], code: Path) -> dict[str, str]:
    return credentials() | {
        "PATH": os.environ["PATH"],
        "LANG": "en_US.UTF-8",
        "TZ": ":UTC",
        "LAMBDA_TASK_ROOT": str(code),
        "AWS_LAMBDA_FUNCTION_NAME": name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(properties["MemorySize"]),
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(properties["Timeout"]),
        "AWS_LAMBDA_LOG_FORMAT": "JSON",
        "NO_PROXY": HOST,
    }


def _python_path(layers: list[Path], code: Path) -> str:
    """As in the runtime: the task, then the layers; the runtime's own packages are the interpreter's."""
    return os.pathsep.join([str(code), *(str(layer / "python") for layer in layers if (layer / "python").is_dir())])


def _stop(process: subprocess.Popen[bytes]) -> None:
    """The emulator and the runtime client below it; both are in the process group of the first."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(STOP_SECONDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
