"""The lines of an import as they come from a file or a pipe: in parcels that a call of the API takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

LINES = 200  # so that there is something to see of a long import
BYTES = 1_000_000
MAX_LINE_BYTES = 3_000_000  # no record has as many; what is longer is not read into memory
TOO_LONG = b"a line over the limit\n"


@dataclass(frozen=True, slots=True)
class Parcel:
    """Some lines with their ends; `first` is the number of the first, from 1."""

    first: int
    lines: tuple[bytes, ...]

    @property
    def text(self) -> str:
        """All lines; bytes that are no UTF-8 become lone surrogates, which no line may hold."""
        return b"".join(self.lines).decode("utf-8", "surrogateescape")


def parcels(source: IO[bytes]) -> Iterator[Parcel]:
    """The whole source; a line over MAX_LINE_BYTES comes as TOO_LONG, which will be refused."""
    first, lines, size = 1, list[bytes](), 0
    for line in _lines(source):
        if lines and (len(lines) == LINES or size + len(line) > BYTES):
            yield Parcel(first, tuple(lines))
            first, lines, size = first + len(lines), [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield Parcel(first, tuple(lines))


def _lines(source: IO[bytes]) -> Iterator[bytes]:
    while line := source.readline(MAX_LINE_BYTES):
        end = line
        while not end.endswith(b"\n") and (end := source.readline(MAX_LINE_BYTES)):
            line = TOO_LONG
        yield line if line.endswith(b"\n") else line + b"\n"
