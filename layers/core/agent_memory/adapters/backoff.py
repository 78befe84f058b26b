"""Waiting between tries: exponential with full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """At most `attempts` tries; the pause after try n (from 0) is a random part of min(cap, first * 2**n) seconds.

    `random` gives numbers from 0 to below 1, `pause` takes seconds; both come from outside so that tests never wait.
    """

    pause: Callable[[float], None]
    random: Callable[[], float]
    attempts: int = 6
    first: float = 0.05
    cap: float = 2.0

    def wait(self, tried: int) -> None:
        """Pause after try number `tried`, counted from 0."""
        self.pause(self.random() * min(self.cap, self.first * 2.0**tried))
