"""Settings and ports of the embedded server, opened with errors for a person at a terminal."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.adapters.log_audit import LogAudit
from agent_memory.adapters.table_audit import TableAudit
from agent_memory.audit import AuditLog
from agent_memory.errors import AgentMemoryError
from agent_memory.local.audit_flusher import flushed
from agent_memory.local.doorbell import Doorbell, RingingQueue
from agent_memory.services import Services
from agent_memory.settings import Settings, default_model_dir

if TYPE_CHECKING:
    from aws_lambda_powertools import Logger

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
MODEL_FILES = ("model.onnx", "tokenizer.spm")


class CannotStart(Exception):
    """The server can't start; the message is one line for a person, `exit_code` for a script."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class EmbeddedSettings(Settings):
    """A job left by a crash comes again within seconds, and the log is quiet, unless the environment says otherwise."""

    lease_seconds: int = 15
    sweep_after_seconds: int = 10
    log_level: str = "WARNING"


def embedded_settings(
    data_dir: str | None, log_level: str | None, environ: Mapping[str, str] | None = None
) -> Settings:
    """The environment's settings over the embedded defaults, the arguments over both."""
    try:
        settings = EmbeddedSettings.from_env(environ)
    except ValueError as error:
        raise CannotStart(str(error)) from error
    level = (log_level or settings.log_level).upper()
    if level not in LOG_LEVELS:
        raise CannotStart(f"AGENT_MEMORY_LOG_LEVEL must be one of {', '.join(LOG_LEVELS)}, not {level}")
    return replace(settings, data_dir=data_dir or settings.data_dir, log_level=level)


@contextmanager
def opened(settings: Settings, bells: Mapping[str, Doorbell]) -> Iterator[Services]:
    """Services with table and queue open, the queue ringing the bells; closed at the end. Raises CannotStart."""
    require_model(settings)
    ports = Services(settings, logger=stderr_logger(settings.log_level))
    with ExitStack() as stack:
        try:
            if not (settings.table_name and settings.extraction_queue_url):
                make_private(Path(settings.data_dir))
            for port in (ports.table, ports.queue):
                stack.callback(getattr(port, "close", _nothing))  # what is on AWS has nothing to close
        except _start_errors(settings) as error:
            place = f"table {settings.table_name}" if settings.table_name else f"data directory {settings.data_dir}"
            raise CannotStart(f"the {place} can't be used: {_reason(error)}") from error
        queue = RingingQueue(ports.queue, bells)
        audit = _audit(ports)
        stack.enter_context(flushed(audit))
        known: dict[str, Any] = {"table": ports.table, "queue": queue, "logger": ports.logger, "audit": audit}
        yield Services(settings, embedder=_embedder(ports), **known)


def require_model(settings: Settings) -> None:
    """Raises CannotStart where the packaged embedder is to be used and its files are not there."""
    if settings.embedder != "e5":
        return
    folder = Path(settings.model_dir) if settings.model_dir else default_model_dir()
    if not all((folder / name).is_file() for name in MODEL_FILES):
        raise CannotStart(
            f"the embedding model is not in {folder}; `make setup` builds it (AGENT_MEMORY_MODEL_DIR: elsewhere)"
        )


def stderr_logger(level: str) -> Logger:
    """JSON lines on stderr: the service's own log, and what the server library and this package log."""
    from aws_lambda_powertools import Logger

    logger = Logger(service="agent-memory", level=level, stream=sys.stderr)
    for name in ("agent_memory", "uvicorn"):
        other = logging.getLogger(name)
        other.handlers[:] = [logger.registered_handler]
        other.propagate = False
        other.setLevel(level)
    return logger


def _audit(ports: Services) -> AuditLog:
    """The audit of a process that goes on after each answer, and whose stdout is a terminal."""
    log = LogAudit(ports.logger, emit=None)
    return TableAudit(ports.table, log, days=ports.settings.audit_days, now_ms=ports.now_ms)


def _embedder(ports: Services) -> Any:
    try:
        return ports.embedder
    except ValueError as error:  # an embedder that does not exist, or lacks its settings
        raise CannotStart(str(error)) from error


def make_private(folder: Path) -> None:
    """What people told an agent is nobody else's to read."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _start_errors(settings: Settings) -> tuple[type[Exception], ...]:
    """What opening the ports raises for a place or a configuration that can't be used."""
    if not (settings.table_name or settings.extraction_queue_url):
        return (OSError, AgentMemoryError)
    from botocore.exceptions import BotoCoreError

    return (OSError, AgentMemoryError, BotoCoreError, ValueError)


def _reason(error: Exception) -> str:
    if isinstance(error, AgentMemoryError):
        return error.message
    return str((isinstance(error, OSError) and error.strerror) or error)


def _nothing() -> None:
    """Closes what needs no closing."""
