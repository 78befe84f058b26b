"""What one AddMemories writes, from what was read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_memory import keys
from agent_memory.add_draft import Draft, draft_add
from agent_memory.add_plan import AddPlan, plan_add
from agent_memory.client_tokens import TOKEN_LIFE_MS, token_key
from agent_memory.errors import Conflict
from agent_memory.memory_store import MemoryStore
from agent_memory.models import Born
from agent_memory.ports import MAX_WRITES, Check, Item, Key, Put
from agent_memory.records import message_of, task_of
from agent_memory.requests.memories import AddMemoriesRequest
from agent_memory.visibility import first_version
from tests.stand_ins import START_MS

SCOPE = {"appId": "商店", "tenantId": "t1", "agentId": "a1", "runId": "r1"}
STORE = MemoryStore(instance="默认", name="mem", uid="s", created_ms=1, updated_ms=1)
GONE = keys.gone(keys.tenant_partition("s", "商店", "t1"))
Known = dict[Key, Item]


def draft(
    *contents: str, store: MemoryStore = STORE, now_ms: int = START_MS, random: str = "0" * 32, **fields: Any
) -> Draft:
    messages = [{"role": "user", "content": each} for each in contents or ("我对虾过敏",)]
    body = {"memoryStoreName": "mem", "scope": SCOPE, "messages": messages, **fields}
    return draft_add(AddMemoriesRequest.model_validate(body), store, now_ms, random)


def applied(plan: AddPlan, known: Known) -> Known:
    """What a table holds after the plan, whose conditions must hold; bodies went through JSON."""
    after = dict(known)
    for each in plan.writes:
        key = each.item.key if isinstance(each, Put) else each.key
        if key not in (GONE, keys.alive("s")) and not isinstance(each, Check) and each.expect is not None:
            assert each.expect == (known[key].version if key in known else 0), key
        if isinstance(each, Put):
            body = json.loads(json.dumps(each.item.body))
            after[key] = Item(key, body, each.item.version, ttl=each.item.ttl)
    return after


def plan(given: Draft, known: Known) -> AddPlan:
    """The plan over exactly those records that the draft asks for."""
    first = {key: known[key] for key in given.reads() if key in known}
    more = {key: known[key] for key in given.more_reads(first) if key in known}
    return plan_add(given, {**first, **more})


def deleted(known: Known, generation: int, **mark: str) -> Known:
    body = {"marks": [{"agentId": "*", "runId": "*", "generation": generation, **mark}], "purged": 0}
    return {**known, GONE: Item(GONE, body, generation)}


def born(known: Known, prefix: str) -> Born:
    (item,) = [item for key, item in known.items() if key.sk.startswith(prefix)]
    life, generation = item.body["born"]
    return (life, generation)


def message_key(known: Known) -> Key:
    (found,) = [key for key in known if key.sk.startswith("at/")]
    return found


def test_a_first_add_writes_everything_at_once() -> None:
    """Messages and their marks, directory, task with its entry among all tasks, and the note that it is to be done."""
    made = plan(draft("一", "二", clientToken="第一次"), {})
    assert (made.accepted, made.duplicates) == (2, 0)
    known = applied(made, {})
    assert len([key for key in known if key.sk.startswith("at/")]) == 2
    assert len([key for key in known if key.sk.startswith("id/")]) == 2
    assert {key.pk.partition("/")[2].partition("/")[0] for key in known if key.pk.startswith("s/")} == {
        "apps",
        "tenants",
        "hash",
        "runs",
        "tenant",
        "run",
        "timeline",
    }
    assert made.writes[:2] == [Check(keys.alive("s"), expect=1), Check(GONE, expect=0)]


def test_a_second_add_leaves_the_directory_alone() -> None:
    """Its conversation is there."""
    known = applied(plan(draft("一"), {}), {})
    made = plan(draft("二", now_ms=START_MS + 1), known)
    later = applied(made, {})
    assert not [key for key in later if "/runs/" in key.pk or "/apps" in key.pk]


def test_a_repeat_writes_no_message() -> None:
    """But a task of its own, which names the message that is stored."""
    known = applied(plan(draft("一"), {}), {})
    made = plan(draft("一", now_ms=START_MS + 1), known)
    assert (made.accepted, made.duplicates) == (1, 1)
    (item,) = [each.item for each in made.writes if isinstance(each, Put) and each.item.key.sk.startswith("task/")]
    assert task_of(item).log_keys == (message_key(known).sk,)
    assert not [each for each in made.writes if isinstance(each, Put) and each.item.key.sk.startswith("at/")]


def test_an_id_with_other_content_is_a_conflict() -> None:
    """While its message is there: not once that was deleted with its scope, or has expired."""
    one = [{"role": "user", "messageId": "一", "content": "虾"}]
    other = [{"role": "user", "messageId": "一", "content": "猫"}]
    known = applied(plan(draft(messages=one, ttlSeconds=60), {}), {})
    with pytest.raises(Conflict):
        plan(draft(messages=other), known)
    assert plan(draft(messages=other), deleted(known, 1)).duplicates == 0
    assert plan(draft(messages=other, now_ms=START_MS + 60_000), known).duplicates == 0


def test_what_was_deleted_with_its_scope_is_stored_anew() -> None:
    """Message, mark, directory and token, each under a version above all that was there before."""
    known = applied(plan(draft("一", clientToken="t"), {}), {})
    hidden = deleted(known, 1)
    made = plan(draft("一", clientToken="t", now_ms=START_MS + 1), hidden)
    assert made.duplicates == 0
    assert made.request_id != draft("一").request_id
    assert made.writes[1] == Check(GONE, expect=1)
    after = applied(made, hidden)
    assert (born(after, "id/"), born(after, "token/"), born(after, "a1/")) == ((1, 1),) * 3
    written = {each.item.key for each in made.writes if isinstance(each, Put)}
    assert all(after[key].version >= first_version((1, 1)) for key in written if key in known)
    assert len(written & known.keys()) == 6  # mark, token and four entries of the directory


def test_versions_do_not_depend_on_what_a_purge_has_left() -> None:
    """So a purge that saw a record before does not take its successor for it."""
    known = applied(plan(draft("一", clientToken="t"), {}), {})
    hidden = deleted(known, 1)
    purged = {GONE: hidden[GONE]}
    given = draft("一", clientToken="t", now_ms=START_MS + 1)
    over, fresh = applied(plan(given, hidden), {**hidden}), applied(plan(given, purged), {**purged})
    assert {key: item.version for key, item in fresh.items()} == {key: over[key].version for key in fresh}
    assert all(fresh[key].version > known[key].version for key in fresh if key in known and "timeline" not in key.pk)


def test_a_mark_of_another_run_hides_nothing_here() -> None:
    """A repeat is a repeat."""
    known = applied(plan(draft("一"), {}), {})
    assert plan(draft("一"), deleted(known, 1, agentId="a1", runId="r2")).duplicates == 1


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(60, 120, 120), (120, 60, 120), (60, None, None), (None, 60, None), (60, 60, 60), (None, None, None)],
)
def test_a_repeat_makes_a_message_live_longer_and_never_shorter(
    before: int | None, after: int | None, expected: int | None
) -> None:
    """With its mark, under conditions on both; nothing is written where nothing changes."""
    known = applied(plan(draft("一", ttlSeconds=before), {}), {})
    made = plan(draft("一", ttlSeconds=after, random="1" * 32), known)
    later = applied(made, known)
    ends = None if expected is None else START_MS + expected * 1_000
    (mark,) = [item for key, item in later.items() if key.sk.startswith("id/")]
    message = later[message_key(later)]
    assert (message_of(message).expires_ms, mark.body.get("expiresMs")) == (ends, ends)
    assert (message.ttl is None, mark.ttl is None) == (ends is None,) * 2
    assert made.duplicates == 1
    changed = [each for each in made.writes if isinstance(each, Put) and each.item.key.sk.startswith(("at/", "id/"))]
    assert len(changed) == (0 if expected == before else 2)


def test_a_token_whose_time_is_over_names_a_new_call() -> None:
    """Written over the old record, so that of two such calls one wins."""
    known = applied(plan(draft("一", clientToken="t"), {}), {})
    made = plan(draft("二", clientToken="t", now_ms=START_MS + TOKEN_LIFE_MS), known)
    key = token_key(draft().partition, "t")
    (put,) = [each for each in made.writes if isinstance(each, Put) and each.item.key == key]
    assert put.expect == known[key].version
    assert put.item.version == known[key].version + 1
    assert put.item.ttl == (START_MS + 2 * TOKEN_LIFE_MS) // 1_000


def test_a_call_made_before_writes_nothing() -> None:
    """Its job is that of the first call."""
    first = plan(draft("一", clientToken="t"), {})
    again = plan(draft("一", clientToken="t", now_ms=START_MS + 5), applied(first, {}))
    assert again.writes == []
    assert (again.request_id, again.job.job_id) == (first.request_id, first.job.job_id)
    with pytest.raises(Conflict):
        plan(draft("二", clientToken="t"), applied(first, {}))


def test_the_largest_add_fits_a_transaction() -> None:
    """Twenty messages and a text, under a token; new, and all of them to live longer."""
    given = {"text": "还有一句", "clientToken": "t", "ttlSeconds": 60}
    contents = [f"第{number}句" for number in range(20)]
    made = plan(draft(*contents, **given), {})
    assert len(made.writes) <= MAX_WRITES
    known = applied(made, {})
    longer = plan(draft(*contents, **{**given, "clientToken": "u", "ttlSeconds": 600}), known)
    assert longer.duplicates == 21
    assert len(longer.writes) <= MAX_WRITES


def test_a_store_of_another_life_writes_under_it() -> None:
    """The condition on the store's life is the one that was read, and what is written is born in it."""
    made = plan(draft("一", store=STORE.model_copy(update={"life": 4, "gone_apps": {"商店": 4}})), {})
    assert made.writes[0] == Check(keys.alive("s"), expect=4)
    assert born(applied(made, {}), "id/") == (4, 0)
