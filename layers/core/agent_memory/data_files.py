"""Where a server without AWS keeps its files."""

from __future__ import annotations

from pathlib import Path

from agent_memory.settings import Settings


def data_file(settings: Settings, name: str) -> Path:
    """A file of the data folder, which is made where it is missing."""
    directory = Path(settings.data_dir)
    directory.mkdir(parents=True, exist_ok=True)
    return directory / name
