"""Calls signed by the code of the official client (`tablestore.auth`) at a time that the test chooses."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.signin.authenticate import call_of
from agent_memory.signin.keyring import Keyring
from agent_memory.signin.limits import NO_LIMITS, Limits
from agent_memory.signin.new_keys import NewKey, Terms, make_access_key, make_api_key
from agent_memory.signin.presented import Call
from agent_memory.signin.signatures import content_md5
from agent_memory.times import format_ms
from tests.stand_ins import START_MS

BODY = {"memoryStoreName": "shop", "query": "我对什么过敏?"}


class OpenBox:
    """A SecretBox that hides nothing, and says how often it was opened."""

    def __init__(self) -> None:
        self.opened = 0

    def seal(self, secret: bytes, name: str) -> bytes:
        return name.encode() + b"|" + secret

    def open(self, sealed: bytes, name: str) -> bytes:
        self.opened += 1
        assert sealed.startswith(name.encode() + b"|")
        return sealed.partition(b"|")[2]


class CountingTable(SqliteTable):
    """A table in memory that counts its reads."""

    def __init__(self) -> None:
        super().__init__(":memory:", now=lambda: START_MS / 1_000)
        self.reads = 0

    def get(self, keys):
        self.reads += 1
        return super().get(keys)


def new_keyring() -> Keyring:
    """An empty one."""
    box = OpenBox()
    return Keyring(CountingTable(), lambda: box)


def access_key(keyring: Keyring, limits: Limits = NO_LIMITS, **terms: Any) -> NewKey:
    """A new access key of the instance `shop`."""
    return make_access_key(keyring, replace(Terms("shop", limits, START_MS), **terms))


def api_key(keyring: Keyring, limits: Limits = NO_LIMITS, **terms: Any) -> NewKey:
    """A new API key of the instance `shop`."""
    return make_api_key(keyring, replace(Terms("shop", limits, START_MS), **terms))


def signed_headers(
    key_id: str, secret: str, body: bytes, operation: str = "SearchMemories", region: str = "", **more: str
) -> dict[str, str]:
    """The headers of a request signed at START_MS, version 4 with a region; `more` are further headers (_ for -)."""
    from tablestore.auth import RequestContext, SignV2, SignV4
    from tablestore.credentials import Credentials

    headers = {
        "x-ots-date": format_ms(START_MS),
        "x-ots-apiversion": "2015-12-31",
        "x-ots-accesskeyid": key_id,
        "x-ots-instancename": "shop",
        "x-ots-contentmd5": content_md5(body),
        **{name.replace("_", "-"): value for name, value in more.items()},
    }
    signer = SignV4("utf-8", region=region, sign_date="20261130") if region else SignV2("utf-8")
    context = RequestContext(Credentials(key_id, secret))
    signer.make_request_signature_and_add_headers(f"/{operation}", headers, context)
    return headers


def signed_call(key: NewKey, *, region: str = "", now_ms: int = START_MS, body: Any = None, **more: str) -> Call:
    """A SearchMemories signed at START_MS that arrives at `now_ms`."""
    data = json.dumps(BODY if body is None else body, ensure_ascii=False).encode()
    headers = signed_headers(key.record.key_id, key.secret, data, region=region, **more)
    return call_of("SearchMemories", headers, data, now_ms)


def bearing_call(now_ms: int = START_MS, **headers: str) -> Call:
    """A SearchMemories with these headers (_ for -)."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return call_of("SearchMemories", named, json.dumps(BODY).encode(), now_ms)
