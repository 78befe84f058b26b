"""From the headers of a request to its caller: one read of the key, none without credentials."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from agent_memory.errors import AuthFailed, PermissionDenied, Unauthorized
from agent_memory.signin import signatures
from agent_memory.signin.caller import Caller
from agent_memory.signin.credentials import AccessKey, ApiKey, KeyRecord, SecretBox, hash_of_secret
from agent_memory.signin.keyring import Keyring
from agent_memory.signin.presented import REFUSED, Call, Carries, SignedWith, credentials_of, named_instance

DEFAULT_INSTANCE = "default"


def call_of(operation: str, headers: Mapping[str, str], body: bytes, now_ms: int) -> Call:
    """The call of a request; header names in any case."""
    return Call(operation, {name.lower(): value for name, value in headers.items()}, body, now_ms)


def authenticate(call: Call, keyring: Keyring, *, required: bool) -> Caller:
    """The caller. Without credentials: anybody, or Unauthorized where they are `required`.

    Credentials that are given must be right, required or not (AuthFailed). The key is read with every call, so one
    that is disabled is refused at once by every process.
    """
    instance = named_instance(call)
    given = credentials_of(call)
    if given is None:
        if required:
            raise Unauthorized("sign the request with an access key, or send an API key in x-ots-apikey")
        return Caller(instance or DEFAULT_INSTANCE)
    return caller_of(call, given, keyring.find(given.key_id), keyring)


def caller_of(call: Call, given: SignedWith | Carries, record: KeyRecord | None, keyring: Keyring) -> Caller:
    """The caller with these credentials, given the stored record of their key. Raises AuthFailed or PermissionDenied.

    An unknown key and a wrong secret read alike; what is wrong with a key is told only to who holds its secret.
    """
    response_key = b""
    if isinstance(given, SignedWith) and isinstance(record, AccessKey):
        response_key = _checked_key(call, given, _secret(record, keyring.box()))
    elif not (isinstance(given, Carries) and isinstance(record, ApiKey) and _holds(given, record)):
        raise AuthFailed(REFUSED)
    state = record.state(call.now_ms)
    if state != "active":
        raise AuthFailed(f"the key {record.key_id} is {state}; use another one")
    asked = named_instance(call)
    if asked and asked != record.instance:
        raise PermissionDenied(f"this key is not for the instance {asked!r}; x-ots-instancename must be the key's own")
    return Caller(record.instance, record.key_id, record.limits, response_key)


def _checked_key(call: Call, given: SignedWith, secret: str) -> bytes:
    """The signing key of the request, after its signature was found right."""
    if given.sign_date is None or given.region is None:
        key = signatures.v2_key(secret)
        expected = signatures.v2_signature(key, call.operation, call.headers)
    else:
        key = signatures.v4_key(secret, given.sign_date, given.region)
        expected = signatures.v4_signature(key, call.operation, call.headers)
    if not signatures.same(given.signature, expected):
        raise AuthFailed(REFUSED)
    return key


def _secret(record: AccessKey, box: SecretBox) -> str:
    return box.open(base64.b64decode(record.sealed_secret), record.key_id).decode()


def _holds(given: Carries, record: ApiKey) -> bool:
    return signatures.same(hash_of_secret(given.key_id, given.secret), record.secret_hash)
