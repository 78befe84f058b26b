"""The keys in the table: found by id with one read, listed page by page, disabled."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from agent_memory import keys
from agent_memory.errors import ConditionFailed, Conflict, NotFound
from agent_memory.ports import Item, Key, Put, WideTable
from agent_memory.signin.credentials import KEY_ID, AccessKey, ApiKey, SecretBox, record_of

MAX_PAGE = 100
ATTEMPTS = 3
# | key       | `key/{keyId}` | `key`     | every call with credentials           |
# | key entry | `keys`        | `{keyId}` | `agent-memory keys list`; pages by id |
# | first key | `system`      | `first-key` | the first start of an embedded server |
LISTING = "keys"
FIRST_KEY = Key("system", "first-key")

Record = AccessKey | ApiKey


def keyring_key(key_id: str) -> Key:
    """A key's record, in a partition of its own: it is read with every call."""
    return Key(f"key/{key_id}", "key")


def keyring_entry(key_id: str) -> Key:
    """By which a key is listed."""
    return Key(LISTING, key_id)


@dataclass(frozen=True, slots=True)
class Page:
    """Records by id, and the id to go on after, empty when there are no more."""

    records: tuple[Record, ...]
    after: str = ""


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys of one table. `box` gives the SecretBox when an access key needs it; API keys never do."""

    table: WideTable
    box: Callable[[], SecretBox]

    def find(self, key_id: str) -> Record | None:
        """The key of that id, None for one that does not exist or can't."""
        if not KEY_ID.fullmatch(key_id):
            return None
        key = keyring_key(key_id)
        found = self.table.get([key])
        return record_of(found[key].body) if key in found else None

    def add(self, record: Record, *, first: bool = False) -> None:
        """Store a new key; as `first`, only if no first key was ever stored. Raises ConditionFailed."""
        writes = [
            Put(Item(keyring_key(record.key_id), record.to_json()), expect=0),
            Put(Item(keyring_entry(record.key_id), {}), expect=0),
        ]
        if first:
            writes.append(Put(Item(FIRST_KEY, {"keyId": record.key_id}), expect=0))
        self.table.write(writes)

    def page(self, after: str = "", limit: int = MAX_PAGE) -> Page:
        """Up to `limit` (at most 100) keys behind the id `after`."""
        size = min(limit, MAX_PAGE)
        listed = self.table.query(LISTING, "", keys.LAST, limit=size, after=after or None)
        wanted = [keyring_key(item.key.sk) for item in listed.items]
        found = self.table.get(wanted)
        records = tuple(record_of(found[key].body) for key in wanted if key in found)
        return Page(records, listed.items[-1].key.sk if listed.more else "")

    def disable(self, key_id: str) -> Record:
        """The key, which from now on no process accepts; again is no error. Raises NotFound, Conflict."""
        for _ in range(ATTEMPTS):
            key = keyring_key(key_id)
            found = self.table.get([key]) if KEY_ID.fullmatch(key_id) else {}
            if key not in found:
                raise NotFound("there is no key of that id")
            item = found[key]
            record = record_of(item.body).model_copy(update={"disabled": True})
            with suppress(ConditionFailed):  # another process changed the record: look again
                self.table.write([Put(Item(key, record.to_json(), item.version + 1), expect=item.version)])
                return record
        raise Conflict("the key is being changed; try again")
