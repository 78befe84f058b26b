"""`clientToken`: a call made again under its name answers as the first time, for seven days, in its conversation."""

from __future__ import annotations

from dataclasses import dataclass

from agent_memory import keys
from agent_memory.errors import Conflict
from agent_memory.ports import Item, Key
from agent_memory.scopes import Scope
from agent_memory.visibility import Visibility, next_version

TOKEN_LIFE_MS = 7 * 86_400_000


@dataclass(frozen=True, slots=True)
class MadeCall:
    """What is remembered of a call: a hash of its body, and what its answer told."""

    body_hash: str
    request_id: str
    accepted: int
    duplicates: int


def token_key(partition: str, token: str) -> Key:
    """Where the call of that name in the conversation is remembered."""
    return Key(partition, f"token/{keys.digest('token', token)}")


def token_item(key: Key, call: MadeCall, stored: Item | None, visible: Visibility, now_ms: int) -> Item:
    """The record of a call that is made now; `stored` is an older one whose time is over."""
    until_ms = now_ms + TOKEN_LIFE_MS
    body = {
        "requestId": call.request_id,
        "body": call.body_hash,
        "accepted": call.accepted,
        "duplicates": call.duplicates,
        "untilMs": until_ms,
        "born": visible.born,
    }
    return Item(key, body, next_version(stored, visible.born), ttl=until_ms // 1_000)


def made_before(stored: Item | None, scope: Scope, body_hash: str, visible: Visibility, now_ms: int) -> MadeCall | None:
    """The earlier call of that name, if its time is not over; Conflict where it had another body."""
    if stored is None or stored.body["untilMs"] <= now_ms:
        return None
    if visible.hides(scope, tuple(stored.body["born"])):
        return None
    if stored.body["body"] != body_hash:
        raise Conflict("clientToken was used with another body")
    return MadeCall(body_hash, stored.body["requestId"], stored.body["accepted"], stored.body["duplicates"])
