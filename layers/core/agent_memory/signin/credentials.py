"""The records of keys, and how their secrets are kept."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field, TypeAdapter

from agent_memory.signin.limits import Limits
from agent_memory.values import Value

KEY_ID = re.compile(r"[A-Za-z0-9]{4,64}", re.ASCII)
INSTANCE = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
MAX_NOTE = 256

_API_KEY = re.compile(r"amk_([A-Za-z0-9]{4,64})_([A-Za-z0-9]{32,128})", re.ASCII)


class SecretBox(Protocol):
    """Keeps secrets that must be read again: those of access keys, since the server signs with them as well."""

    def seal(self, secret: bytes, name: str) -> bytes:
        """The secret, readable only to this box and only under the same name."""
        ...

    def open(self, sealed: bytes, name: str) -> bytes:
        """The secret; ServiceUnavailable where it was not sealed by this box under this name, or the box is broken."""
        ...


class KeyRecord(Value):
    """What both kinds of key have in common. `expires_ms` None is never; at that instant the key no longer works."""

    key_id: str
    instance: str
    limits: Limits = Limits()
    created_ms: int
    expires_ms: int | None = None
    disabled: bool = False
    note: Annotated[str, Field(max_length=MAX_NOTE)] = ""

    def state(self, now_ms: int) -> Literal["active", "disabled", "expired"]:
        """Whether the key works now."""
        if self.disabled:
            return "disabled"
        return "expired" if self.expires_ms is not None and now_ms >= self.expires_ms else "active"


class AccessKey(KeyRecord):
    """A key that signs requests; `sealed_secret` is base64 of what the SecretBox gave."""

    kind: Literal["access-key"] = "access-key"
    sealed_secret: str


class ApiKey(KeyRecord):
    """A key that is sent as it is; `secret_hash` is what is left of it."""

    kind: Literal["api-key"] = "api-key"
    secret_hash: str


_RECORD: TypeAdapter[AccessKey | ApiKey] = TypeAdapter(Annotated[AccessKey | ApiKey, Field(discriminator="kind")])


def record_of(body: Any) -> AccessKey | ApiKey:
    """The record of its JSON form."""
    return _RECORD.validate_python(body)


def api_key_text(key_id: str, secret: str) -> str:
    """The API key as its owner gets it; the id in it makes it one read to find."""
    return f"amk_{key_id}_{secret}"


def split_api_key(text: str) -> tuple[str, str] | None:
    """Id and secret of an API key; None for any other text."""
    match = _API_KEY.fullmatch(text)
    return (match[1], match[2]) if match else None


def hash_of_secret(key_id: str, secret: str) -> str:
    """What is stored of an API key's secret: HMAC-SHA256 with the id as its salt.

    A slow hash would protect nothing more: the secret is 256 random bits, which nobody finds by trying.
    """
    return hmac.digest(key_id.encode(), secret.encode(), hashlib.sha256).hex()
