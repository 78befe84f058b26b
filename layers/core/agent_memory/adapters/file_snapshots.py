"""The `SnapshotStore` in a folder: one file per object, whole or not there, whenever the machine stops."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from agent_memory.errors import ServiceUnavailable

DRAFT = ".draft"  # what a half-written file is called until it is whole


class FileSnapshots:
    """Files below `root`, which the first write makes, for their owner only. Raises ServiceUnavailable."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, name: str) -> bytes | None:
        """The file's bytes."""
        with _named_errors():
            try:
                return (self._root / name).read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def write(self, name: str, data: bytes) -> None:
        """A draft on the disk first, then its name, both synced."""
        path = self._root / name
        with _named_errors():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}{DRAFT}")
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(path)
            except OSError:
                draft.unlink(missing_ok=True)
                raise
            _sync_folders(path.parent, self._root)

    def delete(self, names: Iterable[str]) -> None:
        """The files, and the folders that they leave empty."""
        with _named_errors():
            for name in names:
                path = self._root / name
                path.unlink(missing_ok=True)
                with suppress(OSError):  # there are others in it, or it is gone
                    path.parent.rmdir()

    def names(self, prefix: str) -> list[str]:
        """Of drafts, too: a crash leaves them, and who tidies up may delete them."""
        with _named_errors():
            return [path.relative_to(self._root).as_posix() for path in _files(self._root / prefix)]


def _files(folder: Path) -> Iterator[Path]:
    for parent, _, files in os.walk(folder):
        yield from (Path(parent) / name for name in files)


def _sync_folders(folder: Path, root: Path) -> None:
    """Make the new name durable, and the new folders' names in those above them."""
    if os.name != "posix":
        return
    for each in (folder, *(parent for parent in folder.parents if parent == root or root in parent.parents)):
        descriptor = os.open(each, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _named_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ServiceUnavailable(f"the folder of snapshots can't be used: {error.strerror}") from error
