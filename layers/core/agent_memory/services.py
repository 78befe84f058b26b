"""The composition root: every port of a process, built on first use. The only module that names adapters.

Tests and the embedded server build `Services` themselves (`Services(settings, table=...)`) and hand it to
`use_services`; a Lambda builds it from its environment at its first call.
"""

from __future__ import annotations

import secrets
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agent_memory.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from aws_lambda_powertools import Logger

    from agent_memory.audit import AuditLog
    from agent_memory.language_model import LanguageModel
    from agent_memory.memory_store import MemoryStore
    from agent_memory.packed_vectors import Pack
    from agent_memory.ports import Embedder, JobQueue, Reranker, TokenEmbedder, WideTable
    from agent_memory.retrieval.index_cache import IndexCache
    from agent_memory.signin.credentials import SecretBox
    from agent_memory.signin.keyring import Keyring
    from agent_memory.snapshot_store import SnapshotStore

_MODELS = ("embedder", "token_embedder", "reranker", "language_model")
PORTS = frozenset((*_MODELS, "table", "queue", "snapshots", "audit", "logger", "indexes", "secret_box"))


def _system_now_ms() -> int:
    return time.time_ns() // 1_000_000


def _random_id() -> str:
    return secrets.token_hex(16)


class Services:
    """Ports and clock of one process. A port given to the constructor takes the place of the built one."""

    def __init__(
        self,
        settings: Settings,
        *,
        now_ms: Callable[[], int] = _system_now_ms,
        new_id: Callable[[], str] = _random_id,
        **ports: Any,
    ) -> None:
        unknown = ports.keys() - PORTS
        if unknown:
            raise TypeError(f"no such port: {sorted(unknown)}")
        self.settings = settings
        self.now_ms = now_ms
        self.new_id = new_id
        self.uid_hints: dict[tuple[str, str], str] = {}  # (instance, store name) to uid, always checked against a read
        self.__dict__.update(ports)

    @cached_property
    def logger(self) -> Logger:
        """Structured log of the process."""
        from aws_lambda_powertools import Logger

        return Logger(service="agent-memory", level=self.settings.log_level, use_rfc3339=True)

    @cached_property
    def table(self) -> WideTable:
        """DynamoDB where a table is named, else one SQLite file."""
        settings = self.settings
        if settings.table_name:
            from agent_memory.adapters.dynamodb_table import DynamoTable, make_client
            from agent_memory.adapters.meter import Meter

            client = make_client(endpoint_url=settings.aws_endpoint_url or None)
            return DynamoTable(client, settings.table_name, pause=time.sleep, random=_random_fraction, meter=Meter())
        from agent_memory.adapters.sqlite_table import SqliteTable
        from agent_memory.data_files import data_file

        return SqliteTable(data_file(settings, "memories.sqlite3"), now=time.time)

    @cached_property
    def queue(self) -> JobQueue:
        """SQS where a table is named, else a second SQLite file."""
        from agent_memory.adapters.queues import queue_of

        return queue_of(self.settings, self.new_id)

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that the settings name, with a cache for queries."""
        return self._embedders[0]

    @cached_property
    def token_embedder(self) -> TokenEmbedder:
        """Vectors of single tokens, for stores that keep them; from the same network."""
        return self._embedders[1]

    def packing(self, store: MemoryStore) -> Pack:
        """What makes the vectors that the store keeps beside a memory."""
        from agent_memory.packed_vectors import packing

        return packing(self.embedder, self.token_embedder if store.token_vectors else None)

    @cached_property
    def _embedders(self) -> tuple[Embedder, TokenEmbedder]:
        from agent_memory.adapters.embedders import embedders_of

        return embedders_of(self.settings)

    @cached_property
    def reranker(self) -> Reranker:
        """What takes a second look at the best of a search."""
        from agent_memory.adapters.rerankers import reranker_of

        return reranker_of(self.settings)

    @cached_property
    def language_model(self) -> LanguageModel | None:
        """What extracts and judges; None where rules do."""
        from agent_memory.adapters.language_models import language_model_of

        return language_model_of(self.settings)

    @cached_property
    def indexes(self) -> IndexCache:
        """The tenant indexes that this process holds in memory."""
        from agent_memory.retrieval.index_cache import IndexCache

        most = self.settings.index_cache_bytes
        return IndexCache(self.table, self.embedder, max_bytes=most, snapshots=self.snapshots)

    @cached_property
    def snapshots(self) -> SnapshotStore:
        """Where the indexes are stored for those who load them."""
        from agent_memory.adapters.snapshot_stores import snapshot_store

        return snapshot_store(self.settings)

    @cached_property
    def audit(self) -> AuditLog:
        """The record of every call: written at once where there is a table on AWS, since Lambda freezes then."""
        from agent_memory.adapters.log_audit import LogAudit, to_stdout
        from agent_memory.adapters.table_audit import TableAudit

        on_aws = bool(self.settings.table_name)
        log = LogAudit(self.logger, to_stdout if on_aws else None)
        return TableAudit(self.table, log, days=self.settings.audit_days, now_ms=self.now_ms, eager=on_aws)

    @cached_property
    def keyring(self) -> Keyring:
        """The keys that callers sign in with; the box of their secrets is only opened for access keys."""
        from agent_memory.signin.keyring import Keyring

        return Keyring(self.table, lambda: self.secret_box)

    @cached_property
    def secret_box(self) -> SecretBox:
        """KMS where a table is named, else a key file beside the data."""
        settings = self.settings
        if settings.table_name:
            from agent_memory.adapters.kms_box import KmsBox, make_client

            return KmsBox(make_client(endpoint_url=settings.aws_endpoint_url or None), settings.kms_key_id)
        from agent_memory.adapters.key_file_box import KeyFileBox
        from agent_memory.data_files import data_file

        return KeyFileBox(data_file(settings, "access-keys.key"))

    @cached_property
    def paging_key(self) -> bytes:
        """The secret that seals page tokens, the same for every process of the table."""
        from agent_memory.paging_key import read_or_make_paging_key

        return read_or_make_paging_key(self.table)


def _random_fraction() -> float:
    return secrets.SystemRandom().random()


_current: list[Services] = []


def use_services(services: Services) -> None:
    """Make these the services of the process (the embedded server, tests)."""
    _current[:] = [services]


def current_services() -> Services:
    """The services of the process, built from the environment at the first call."""
    if not _current:
        _current.append(Services(Settings.from_env()))
    return _current[0]
