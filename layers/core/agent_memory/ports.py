"""What the core needs from outside, in a few methods each. Every method is required of every adapter.

Adapters live in `agent_memory.adapters`; only `agent_memory.services` names them. Each port has an embedded adapter
that passes the same contract tests (`tests/contract/`) as the one for AWS.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    TokenVectors = NDArray[np.int8]

MAX_WRITES = 100  # of one atomic write, DynamoDB's limit, kept by every adapter
MAX_ITEM_BYTES = 400 * 1024


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """Partition key and sort key; sort keys compare by their UTF-8 bytes."""

    pk: str
    sk: str


@dataclass(frozen=True, slots=True)
class Item:
    """One record: a JSON object, an optional blob, a version that conditions speak of, and an optional expiry.

    `version` starts at 1; version 0 means "no item". `ttl` is a Unix time in seconds after which the table may collect
    the item (readers filter by themselves: collection may be late).
    """

    key: Key
    body: Mapping[str, Any]
    version: int = 1
    blob: bytes = b""
    ttl: int | None = None


@dataclass(frozen=True, slots=True)
class Put:
    """Write `item`; with `expect`, only if the stored version is exactly that (0: only if there is none)."""

    item: Item
    expect: int | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove the item; with `expect`, only if the stored version is exactly that."""

    key: Key
    expect: int | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Write nothing, but let the batch fail unless the stored version is exactly `expect`."""

    key: Key
    expect: int


Write = Put | Delete | Check


@dataclass(frozen=True, slots=True)
class Page:
    """Items in key order (or reversed) and whether the range holds more after the last of them."""

    items: tuple[Item, ...]
    more: bool


class WideTable(Protocol):
    """One table of items under (pk, sk). Reads are strongly consistent; there is no scan."""

    def get(self, keys: Iterable[Key]) -> dict[Key, Item]:
        """The items that exist, any number of keys, each key once."""

    def query(  # noqa: PLR0913 - a range has two ends, a place to go on from, a direction and a size
        self, pk: str, first: str, last: str, *, limit: int, after: str | None = None, reverse: bool = False
    ) -> Page:
        """At most `limit` items of the partition with first <= sk <= last, going on behind the sort key `after`.

        `after` need not exist. In reverse the page starts at `last` (or before `after`).
        """

    def write(self, writes: Sequence[Write]) -> None:
        """All of the writes or none (1 to 100, one per key).

        Raises ConditionFailed, ItemTooLarge, or ServerBusy when contention outlasts the adapter's own retries.
        """

    def write_many(self, writes: Iterable[Put | Delete]) -> None:
        """Any number of writes without conditions, in any order, not atomic; raises ServerBusy when they can't finish.

        Giving `expect` here is a ValueError.
        """


JobKind = Literal["extract", "purge_store", "purge_scope", "purge_messages", "snapshot"]


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do later. `group` orders jobs (one after the other within it), `job_id` makes a repeat harmless."""

    kind: JobKind
    job_id: str
    group: str
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delivery:
    """A job handed to a consumer, as an SQS record would carry it. `receipt` names this hand-over."""

    message_id: str
    receipt: str
    body: str
    group: str
    attempts: int
    queue: str


class JobQueue(Protocol):
    """First in, first out within a group; at least once; dead letters after too many attempts.

    The queue of a job follows from its kind (`jobs.QUEUE_OF_KIND`). On AWS the event source mapping does `receive` and
    `acknowledge`; locally the poller does.
    """

    def send(self, job: Job) -> None:
        """Durable when it returns; a second send of the same `job_id` within five minutes is dropped."""

    def receive(self, queue: str, limit: int) -> list[Delivery]:
        """Up to `limit` (at most 10) jobs, hidden from others until acknowledged, released or timed out."""

    def acknowledge(self, delivery: Delivery) -> None:
        """The job is done; a late acknowledgement after the time-out is ignored."""

    def release(self, delivery: Delivery, delay_seconds: int) -> None:
        """The job failed this time; it comes again after the delay, or goes to the dead letters."""


class Embedder(Protocol):
    """Texts to unit vectors. `model` names weights and post-processing; vectors of two models never meet."""

    @property
    def model(self) -> str:
        """Name stored with each vector."""

    @property
    def dim(self) -> int:
        """Length of each vector."""

    def embed(self, texts: Sequence[str], side: Literal["query", "passage"]) -> Vectors:
        """A float32 array (len(texts), dim), rows of norm 1, aligned with the input; raises EmbedderFailed.

        No text is cut: what is longer than the model reads is embedded in parts and averaged.
        """


class TokenEmbedder(Protocol):
    """Texts to one vector per token, for a comparison token by token (`retrieval.maxsim`)."""

    @property
    def model(self) -> str:
        """Name stored with the vectors; not that of the vectors of whole texts."""

    def embed_tokens(self, texts: Sequence[str], side: Literal["query", "passage"]) -> list[TokenVectors]:
        """An int8 array (tokens, dim) for each text; only directions count; raises EmbedderFailed."""

    def embed_both(self, texts: Sequence[str]) -> tuple[Vectors, list[TokenVectors]]:
        """Of passages, what the `Embedder` beside it and `embed_tokens` give, at the price of one of them."""


class Reranker(Protocol):
    """Scores texts against a question, for a second look at the best of a search."""

    @property
    def name(self) -> str:
        """What scores, for logs."""

    @property
    def window(self) -> int:
        """Texts wanted in one call; 0: there is no second look, the order of the search stands."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """0 to 1 for each text, aligned; raises RerankerFailed for any failure, a time-out included."""
