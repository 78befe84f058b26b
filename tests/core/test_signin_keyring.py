"""The keys in the table: pages, disabling, and the first key of an empty table."""

from __future__ import annotations

import threading

import pytest

from agent_memory.adapters.sqlite_table import SqliteTable
from agent_memory.errors import ConditionFailed, Conflict, NotFound
from agent_memory.ports import Item, Put
from agent_memory.signin.credentials import KEY_ID, split_api_key
from agent_memory.signin.keyring import Keyring, keyring_key
from agent_memory.signin.limits import Limits, ScopeLimit
from agent_memory.signin.new_keys import Terms, first_access_key, make_access_key
from tests.core.signed_calls import OpenBox, access_key, api_key, new_keyring
from tests.stand_ins import START_MS

LIMITS = Limits(
    stores=("mem",), scopes=(ScopeLimit(app_id="店", tenant_id="用户"),), operations=("GetMemory",), read_only=True
)


def test_a_key_comes_back_as_it_was_made():
    """Both kinds, with limits and a Chinese note."""
    keyring = new_keyring()
    for make in (access_key, api_key):
        made = make(keyring, LIMITS, expires_ms=START_MS + 1, note="给客服机器人 🦐")
        assert keyring.find(made.record.key_id) == made.record
        assert made.record.limits == LIMITS


def test_ids_and_secrets_have_their_form():
    """AM and 20 characters with a secret of 40; an API key carries its id."""
    keyring = new_keyring()
    signing, bearing = access_key(keyring), api_key(keyring)
    assert (len(signing.record.key_id), signing.record.key_id[:2], len(signing.secret)) == (22, "AM", 40)
    assert KEY_ID.fullmatch(signing.record.key_id)
    assert (signing.secret + bearing.record.key_id).isalnum()
    assert split_api_key(bearing.secret) == (bearing.record.key_id, bearing.secret[-43:])


def test_pages_hold_every_key_once_in_order_of_id():
    """A page has at most 100 keys, whatever was asked for."""
    keyring = new_keyring()
    made = sorted(api_key(keyring).record.key_id for _ in range(103))
    first = keyring.page(limit=1_000)
    rest = keyring.page(first.after)
    assert (len(first.records), len(rest.records), rest.after) == (100, 3, "")
    assert [record.key_id for record in first.records + rest.records] == made
    assert len(keyring.page(limit=7).records) == 7


def test_disabling_again_is_no_error_and_keeps_the_rest():
    """Only the state changes."""
    keyring = new_keyring()
    record = access_key(keyring, LIMITS, note="旧").record
    assert keyring.disable(record.key_id) == keyring.disable(record.key_id)
    assert keyring.find(record.key_id) == record.model_copy(update={"disabled": True})


@pytest.mark.parametrize("key_id", ["", "AMunknown", "a/b", "%2F", "' OR 1=1", "x" * 10_000, "键", "\ud800"])
def test_an_id_that_no_key_has_is_not_found(key_id):
    """Hostile ids too."""
    keyring = new_keyring()
    assert keyring.find(key_id) is None
    with pytest.raises(NotFound):
        keyring.disable(key_id)


class RacingTable(SqliteTable):
    """Another process writes the key's record before each of the first writes."""

    def __init__(self, races: int) -> None:
        super().__init__(":memory:", now=lambda: START_MS / 1_000)
        self.races = races

    def write(self, writes):
        if self.races and len(writes) == 1:
            self.races -= 1
            (item,) = self.get([writes[0].item.key]).values()
            super().write([Put(Item(item.key, item.body, item.version + 1), expect=item.version)])
        super().write(writes)


@pytest.mark.parametrize(("races", "outcome"), [(2, "disabled"), (3, "conflict")])
def test_disabling_goes_on_where_another_process_writes(races, outcome):
    """A few times, then it says so."""
    keyring = Keyring(RacingTable(races), OpenBox)
    key_id = api_key(keyring).record.key_id
    if outcome == "disabled":
        assert keyring.disable(key_id).disabled
    else:
        with pytest.raises(Conflict):
            keyring.disable(key_id)


def test_an_id_is_never_given_twice():
    """Adding a key that is there is refused, and leaves it as it is."""
    keyring = new_keyring()
    record = api_key(keyring).record
    with pytest.raises(ConditionFailed):
        keyring.add(record.model_copy(update={"note": "other"}))
    assert keyring.find(record.key_id) == record


def test_the_first_start_makes_one_key_and_the_second_none():
    """For the instance `default`; not where a key of any kind was made before, disabled or not."""
    keyring = new_keyring()
    made = first_access_key(keyring, START_MS)
    assert made is not None
    assert (made.record.instance, made.record.kind, made.record.limits) == ("default", "access-key", Limits())
    assert first_access_key(keyring, START_MS) is None
    keyring.disable(made.record.key_id)
    assert first_access_key(keyring, START_MS) is None
    other = new_keyring()
    api_key(other)
    assert first_access_key(other, START_MS) is None


def test_servers_that_start_at_once_make_one_key(tmp_path):
    """Each with its own connection to the file."""
    together = threading.Barrier(6)
    rings = [Keyring(SqliteTable(tmp_path / "t.db", now=lambda: 0.0), OpenBox) for _ in range(6)]
    made = []

    def start(ring):
        together.wait()
        made.append(first_access_key(ring, START_MS))

    threads = [threading.Thread(target=start, args=(ring,)) for ring in rings]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 6
    (one,) = [key for key in made if key]
    assert rings[0].page().records == (one.record,)
    for ring in rings:
        ring.table.close()


def test_of_two_that_saw_an_empty_table_one_makes_the_key():
    """The condition on the marker decides."""
    keyring = new_keyring()
    first_access_key(keyring, START_MS)
    with pytest.raises(ConditionFailed):
        make_access_key(keyring, Terms(), first=True)
    assert len(keyring.page().records) == 1


def test_the_record_holds_no_readable_secret():
    """An API key leaves a hash, an access key what the box made of its secret."""
    keyring = new_keyring()
    bearing = api_key(keyring)
    (item,) = keyring.table.get([keyring_key(bearing.record.key_id)]).values()
    assert bearing.secret[-43:] not in str(item)
