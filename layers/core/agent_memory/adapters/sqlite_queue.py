"""The `JobQueue` in one SQLite file, with the rules of an SQS FIFO queue; several processes and threads may share it.

`Delivery.group` is the same digest that SQS would carry, so a consumer sees no difference.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent_memory.adapters.fifo import DEDUP_SECONDS, opaque_id, receive_limit, release_delay
from agent_memory.adapters.sqlite_pool import SqlitePool
from agent_memory.jobs import QUEUE_OF_KIND, encode
from agent_memory.ports import Delivery, Job

_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS messages (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, grp TEXT NOT NULL, message_id TEXT NOT NULL,
        body TEXT NOT NULL, sent_at REAL NOT NULL, visible_at REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        receipt TEXT)""",
    "CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible_at, grp)",
    "CREATE UNIQUE INDEX IF NOT EXISTS messages_by_receipt ON messages (receipt)",
    """CREATE TABLE IF NOT EXISTS recent_jobs (
        queue TEXT NOT NULL, job TEXT NOT NULL, sent_at REAL NOT NULL, PRIMARY KEY (queue, job)) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS recent_jobs_by_age ON recent_jobs (sent_at)",
    """CREATE TABLE IF NOT EXISTS dead_letters (
        seq INTEGER PRIMARY KEY, queue TEXT NOT NULL, grp TEXT NOT NULL, message_id TEXT NOT NULL, body TEXT NOT NULL,
        attempts INTEGER NOT NULL, sent_at REAL NOT NULL, died_at REAL NOT NULL)""",
)
_FORGET = "DELETE FROM recent_jobs WHERE sent_at <= ?"
_REMEMBER = "INSERT OR IGNORE INTO recent_jobs (queue, job, sent_at) VALUES (?, ?, ?)"
_SEND = "INSERT INTO messages (queue, grp, message_id, body, sent_at, visible_at) VALUES (?, ?, ?, ?, ?, ?)"
_ANY_VISIBLE = "SELECT 1 FROM messages WHERE queue = ? AND visible_at <= ? LIMIT 1"
_BURY = """INSERT INTO dead_letters
    SELECT seq, queue, grp, message_id, body, attempts, sent_at, :now FROM messages
    WHERE queue = :queue AND visible_at <= :now AND attempts >= :max_attempts"""
_REMOVE_BURIED = "DELETE FROM messages WHERE queue = :queue AND visible_at <= :now AND attempts >= :max_attempts"
# A hidden message is in flight and blocks its whole group, earlier and later messages alike.
_NEXT = """SELECT seq, message_id, body, grp, attempts + 1 FROM messages
    WHERE queue = :queue AND visible_at <= :now
      AND grp NOT IN (SELECT grp FROM messages WHERE queue = :queue AND visible_at > :now)
    ORDER BY seq LIMIT :limit"""
_HAND_OUT = "UPDATE messages SET receipt = ?, attempts = ?, visible_at = ? WHERE seq = ?"
_ACKNOWLEDGE = "DELETE FROM messages WHERE receipt = ? AND visible_at > ?"
_RELEASE = "UPDATE messages SET visible_at = ? WHERE receipt = ? AND visible_at > ?"
_DEAD = "SELECT message_id, body, grp, attempts FROM dead_letters WHERE queue = ? ORDER BY seq"
_DEPTH = "SELECT count(*) FROM messages WHERE queue = ?"


class SqliteQueue:
    """A queue file; `now` gives Unix seconds. A crash loses nothing that was sent: it comes again after the time-out.

    Raises ServerBusy when other writers hold the file too long, ServiceUnavailable for any other trouble with it.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        now: Callable[[], float],
        new_id: Callable[[], str],
        visibility_seconds: int,
        max_attempts: int,
    ) -> None:
        self._now = now
        self._new_id = new_id
        self._visibility_seconds = visibility_seconds
        self._max_attempts = max_attempts
        self._pool = SqlitePool(path, size=1)  # every call but an idle poll writes, and SQLite has one writer
        with self._pool.transaction() as connection:
            for statement in _SCHEMA:
                connection.execute(statement)

    def send(self, job: Job) -> None:
        """Commit the job to disk, unless its id was sent in the last five minutes."""
        queue = QUEUE_OF_KIND[job.kind]
        with self._pool.transaction() as connection:
            now = self._now()
            connection.execute(_FORGET, (now - DEDUP_SECONDS,))
            if connection.execute(_REMEMBER, (queue, opaque_id(job.job_id), now)).rowcount:
                message = (queue, opaque_id(job.group), self._new_id(), encode(job), now, now)
                connection.execute(_SEND, message)

    def receive(self, queue: str, limit: int) -> list[Delivery]:
        """Hand out visible messages in order, counting the attempt; those that had theirs go to the dead letters."""
        most = receive_limit(limit)
        if not self._rows(_ANY_VISIBLE, queue, self._now()):
            return []  # an idle poll takes no write lock
        with self._pool.transaction() as connection:
            now = self._now()
            given = {"queue": queue, "now": now, "limit": most, "max_attempts": self._max_attempts}
            connection.execute(_BURY, given)
            connection.execute(_REMOVE_BURIED, given)
            found = [(self._new_id(), *row) for row in connection.execute(_NEXT, given)]
            hidden_until = now + self._visibility_seconds
            connection.executemany(_HAND_OUT, [(receipt, row[-1], hidden_until, seq) for receipt, seq, *row in found])
        return [
            Delivery(message_id=message_id, receipt=receipt, body=body, group=group, attempts=attempts, queue=queue)
            for receipt, _, message_id, body, group, attempts in found
        ]

    def acknowledge(self, delivery: Delivery) -> None:
        """Remove the message while this hand-over still holds it."""
        with self._pool.transaction() as connection:
            connection.execute(_ACKNOWLEDGE, (delivery.receipt, self._now()))

    def release(self, delivery: Delivery, delay_seconds: int) -> None:
        """Make the message visible after the delay (at most twelve hours); its group waits with it."""
        with self._pool.transaction() as connection:
            now = self._now()
            visible_at = now + release_delay(delay_seconds)
            connection.execute(_RELEASE, (visible_at, delivery.receipt, now))

    def dead_letters(self, queue: str) -> list[Delivery]:
        """The messages that failed too often, oldest first; they have no receipt."""
        return [
            Delivery(message_id=message_id, receipt="", body=body, group=group, attempts=attempts, queue=queue)
            for message_id, body, group, attempts in self._rows(_DEAD, queue)
        ]

    def depth(self, queue: str) -> int:
        """How many messages are waiting or in flight."""
        return int(self._rows(_DEPTH, queue)[0][0])

    def close(self) -> None:
        """Close the file; any call after this raises ServiceUnavailable."""
        self._pool.close()

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self._pool.connection() as connection:
            return connection.execute(statement, values).fetchall()
