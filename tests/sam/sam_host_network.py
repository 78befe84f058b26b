"""The SAM CLI with each function's container on the host's network, so that it reaches emulators on loopback.

Runs in the SAM CLI's environment in the place of `sam`. With `--docker-network host` alone SAM asks for a mapped port,
which the host's network does not have; here the emulator in the container listens on that port itself, on loopback.
"""

from __future__ import annotations

import socket
from typing import Any

from docker.models.containers import ContainerCollection
from samcli.cli.main import cli

HOST = "127.0.0.1"
RAPID_PORT = "8080"


def with_host_network(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of the container with its port moved from the mapping into the emulator's command line."""
    _, port = arguments["ports"][RAPID_PORT]
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        inner = probe.getsockname()[1]
    options = ["--runtime-interface-emulator-address", f"{HOST}:{port}", "--runtime-api-address", f"{HOST}:{inner}"]
    moved = {"network_mode": "host", "entrypoint": [*arguments["entrypoint"], *options]}
    return {name: value for name, value in arguments.items() if name != "ports"} | moved


class HostNetworkContainers(ContainerCollection):
    """Makes containers as before, those of functions on the host's network."""

    def create(self, image: str, command: Any = None, **arguments: Any) -> Any:
        """A container that is not started yet."""
        if (arguments.get("labels") or {}).get("sam.cli.container.type") == "lambda":
            arguments = with_host_network(arguments)
        return super().create(image, command, **arguments)


def main() -> None:
    """Run the CLI."""
    from docker import DockerClient

    DockerClient.containers = property(lambda client: HostNetworkContainers(client=client))
    cli(prog_name="sam")


if __name__ == "__main__":
    main()
