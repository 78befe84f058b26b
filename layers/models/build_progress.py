"""A bar for a person at a terminal, one plain line per step for a log."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TextIO

WIDTH = 24


@dataclass
class Progress:
    """Counts named steps up to `total`; each step is announced before its work begins."""

    total: int
    done: int = 0
    stream: TextIO = field(default_factory=lambda: sys.stderr)

    def step(self, what: str) -> None:
        """The next piece of work starts."""
        if not self.stream.isatty():
            self.stream.write(f"embedding model: {what}\n")
        else:
            filled = WIDTH * self.done // self.total
            self.stream.write(f"\r\x1b[2Kembedding model [{'#' * filled}{'.' * (WIDTH - filled)}] {what}")
        self.done += 1
        self.stream.flush()

    def pause(self) -> None:
        """Leave the line of the bar, so that another program may write."""
        if self.stream.isatty():
            self.stream.write("\n")
            self.stream.flush()

    def finish(self, what: str) -> None:
        """The full bar and the last word."""
        self.done = self.total
        self.step(what)
        self.pause()
