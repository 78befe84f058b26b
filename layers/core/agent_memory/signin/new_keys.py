"""Making keys. The secret leaves the process once, in the NewKey that is returned."""

from __future__ import annotations

import base64
import secrets
import string
from contextlib import suppress
from dataclasses import dataclass, field

from agent_memory.errors import ConditionFailed
from agent_memory.signin.credentials import AccessKey, ApiKey, api_key_text, hash_of_secret
from agent_memory.signin.keyring import Keyring, Record
from agent_memory.signin.limits import NO_LIMITS, Limits

ALPHABET = string.ascii_letters + string.digits  # a double click selects all of it
ACCESS_KEY_ID = 20  # characters after AM
ACCESS_KEY_SECRET = 40
API_KEY_ID = 16
API_KEY_SECRET = 43  # characters of 62 kinds: 256 bits


@dataclass(frozen=True, slots=True)
class Terms:
    """What a new key is for."""

    instance: str = "default"
    limits: Limits = NO_LIMITS
    created_ms: int = 0
    expires_ms: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was stored, and its secret: of an access key what it signs with, of an API key the whole key."""

    record: Record
    secret: str = field(repr=False)


def make_access_key(keyring: Keyring, terms: Terms, *, first: bool = False) -> NewKey:
    """Store a new access key; as `first`, ConditionFailed where there was a first one already."""
    key_id, secret = "AM" + _random(ACCESS_KEY_ID), _random(ACCESS_KEY_SECRET)
    sealed = keyring.box().seal(secret.encode(), key_id)
    record = AccessKey(
        key_id=key_id,
        instance=terms.instance,
        limits=terms.limits,
        created_ms=terms.created_ms,
        expires_ms=terms.expires_ms,
        note=terms.note,
        sealed_secret=base64.b64encode(sealed).decode("ascii"),
    )
    keyring.add(record, first=first)
    return NewKey(record, secret)


def make_api_key(keyring: Keyring, terms: Terms) -> NewKey:
    """Store a new API key."""
    key_id, secret = _random(API_KEY_ID), _random(API_KEY_SECRET)
    record = ApiKey(
        key_id=key_id,
        instance=terms.instance,
        limits=terms.limits,
        created_ms=terms.created_ms,
        expires_ms=terms.expires_ms,
        note=terms.note,
        secret_hash=hash_of_secret(key_id, secret),
    )
    keyring.add(record)
    return NewKey(record, api_key_text(key_id, secret))


def first_access_key(keyring: Keyring, now_ms: int) -> NewKey | None:
    """The access key of a table that has no key yet; None where there is one, or another process makes it now."""
    if keyring.page(limit=1).records:
        return None
    with suppress(ConditionFailed):
        return make_access_key(keyring, Terms(created_ms=now_ms, note="made at the first start"), first=True)
    return None


def _random(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
