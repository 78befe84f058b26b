"""What every adapter of `JobQueue` keeps to: the limits of an SQS FIFO queue and the form of the ids it takes."""

from __future__ import annotations

from hashlib import sha256

DEDUP_SECONDS = 300
_MAX_RECEIVE = 10
_MAX_DELAY_SECONDS = 43_200


def opaque_id(name: str) -> str:
    """A message group or deduplication id for any text: SQS takes 128 characters of ASCII, so it is a hex digest."""
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def receive_limit(limit: int) -> int:
    """How many messages to ask for; more than ten become ten, fewer than one is a ValueError."""
    if limit < 1:
        raise ValueError("a receive asks for at least one message")
    return min(limit, _MAX_RECEIVE)


def release_delay(seconds: int) -> int:
    """The delay that a queue accepts: none to twelve hours."""
    return max(0, min(seconds, _MAX_DELAY_SECONDS))
