"""GetMemory, UpdateMemory, DeleteMemory, GetMemoryHistory: one memory by its id, and what others see of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent_memory import keys
from agent_memory.ports import Item, Put
from agent_memory.retrieval.index_cache import IndexCache
from agent_memory.scopes import Scope
from agent_memory.signin.limits import Limits, ScopeLimit
from agent_memory.signin.new_keys import NewKey, Terms, make_api_key
from tests.conftest import SCOPE, Service

OTHER_RUN = {**SCOPE, "runId": "r2"}
OTHER_TENANT = {**SCOPE, "tenantId": "t2"}


def name(unit_id: str, **fields: Any) -> dict[str, Any]:
    return {"memoryStoreName": "mem", "memoryId": unit_id, **fields}


def remember(service: Service, text: str, **fields: Any) -> dict[str, Any]:
    """Add the text as it is; the memory that came of it."""
    added = service.add(text, infer=False, sync=True, **fields)
    (unit_id,) = service.task(added["requestId"])["derivedUnitIds"]
    memory: dict[str, Any] = service.ok("GetMemory", name(unit_id))["memory"]
    return memory


def update(service: Service, unit_id: str, **fields: Any) -> dict[str, Any]:
    memory: dict[str, Any] = service.ok("UpdateMemory", name(unit_id, **fields))["memory"]
    return memory


def history(service: Service, unit_id: str, **fields: Any) -> list[dict[str, Any]]:
    versions: list[dict[str, Any]] = service.ok("GetMemoryHistory", name(unit_id, **fields))["versions"]
    return versions


def second_process(service: Service) -> Callable[[str], list[str]]:
    """Texts found by a process with a warm index of its own."""
    first, services = service.services.indexes, service.services
    other = IndexCache(services.table, services.embedder, max_bytes=1 << 30)

    def search(query: str) -> list[str]:
        services.__dict__["indexes"] = other
        found = [hit["unit"]["text"] for hit in service.search(query)]
        services.__dict__["indexes"] = first
        return found

    search("anything")
    return search


class Intruded:
    """The service's table; `before` runs ahead of its next `times` writes, as another process would come between."""

    def __init__(self, service: Service, before: Callable[[], object], times: int = 1) -> None:
        self.inner, self.before, self.left = service.services.table, before, times
        self.get, self.query, self.write_many = self.inner.get, self.inner.query, self.inner.write_many
        self.services = service.services
        self.services.__dict__["table"] = self

    def write(self, writes):
        if self.left:
            self.left -= 1
            self.services.__dict__["table"] = self.inner
            self.before()
            self.services.__dict__["table"] = self
        self.inner.write(writes)


# ---------------------------------------------------------------- GetMemory


def test_a_memory_by_its_id(service: Service) -> None:
    """As search shows it, with or without its scope."""
    memory = remember(service, "我住在杭州", metadata={"来源": "微信"})
    assert memory == service.search("杭州")[0]["unit"]
    answer = service.ok("GetMemory", name(memory["id"], scope=SCOPE))
    assert answer == {"memory": memory, "memoryStoreName": "mem"}
    assert (memory["version"], memory["metadata"], memory["conversation_key"]) == (1, {"来源": "微信"}, "shop/t1/a1/r1")


@pytest.mark.parametrize("scope", [OTHER_RUN, OTHER_TENANT, {**SCOPE, "appId": "店"}])
@pytest.mark.parametrize("operation", ["GetMemory", "UpdateMemory", "DeleteMemory", "GetMemoryHistory"])
def test_another_scope_is_not_told_from_no_memory(service: Service, operation: str, scope: dict[str, str]) -> None:
    """404 with the same words as for an id that was never given, and nothing is done."""
    memory = remember(service, "My bike is blue.")
    remember(service, "My bike is red.", scope=scope)
    patch = {"title": "x"} if operation == "UpdateMemory" else {}
    status, text = service.refused(operation, name(memory["id"], scope=scope, **patch))
    unknown = memory["id"][:12] + "0" * 20
    assert (status, text.replace(memory["id"], unknown)) == service.refused(
        operation, name(unknown, scope=scope, **patch)
    )
    assert status == 404
    assert service.ok("GetMemory", name(memory["id"]))["memory"] == memory


@pytest.mark.parametrize(
    "unit_id",
    [
        "0" * 32,
        "x",
        "%2F",
        "../../head",
        "head",
        "*",
        "a/b/c",
        "\x00",
        "记忆",
        "\U0010ffff" * 128,
        "' OR 1=1 --",
        "🧠\n",
    ],
)
def test_ids_that_name_nothing(service: Service, unit_id: str) -> None:
    """Whatever is sent as an id is looked for and not found."""
    memory = remember(service, "My bike is blue.")
    for wanted in (unit_id, memory["id"][:12] + unit_id, f"{memory['id']}/{unit_id}"):
        assert service.refused("GetMemory", name(wanted[:128]))[0] == 404


@pytest.mark.parametrize("unit_id", ["", "x" * 129, 7, None, ["a"], "\ud800"])
def test_ids_that_are_none(service: Service, unit_id: Any) -> None:
    """1 to 128 characters of text."""
    status, text = service.refused("GetMemory", name(unit_id))
    assert (status, text.startswith("memoryId ")) == (400, True)


def test_the_scope_must_be_exact(service: Service) -> None:
    """A check of ownership names all four levels."""
    memory = remember(service, "My bike is blue.")
    assert service.refused("GetMemory", name(memory["id"], scope={"appId": "shop"}))[0] == 400
    assert service.refused("GetMemory", name(memory["id"], scope={**SCOPE, "runId": "*"}))[0] == 400


def test_an_expired_memory_is_gone(service: Service) -> None:
    """By id as in search."""
    memory = remember(service, "我今天穿红色", ttlSeconds=60)
    service.clock.advance(60)
    for operation in ("GetMemory", "DeleteMemory", "GetMemoryHistory"):
        assert service.refused(operation, name(memory["id"]))[0] == 404
    assert service.refused("UpdateMemory", name(memory["id"], title="x"))[0] == 404


def key_for(service: Service, tenant: str) -> NewKey:
    """An API key that is limited to one tenant."""
    limits = Limits(scopes=(ScopeLimit(app_id="shop", tenant_id=tenant),))
    return make_api_key(service.services.keyring, Terms(limits=limits, created_ms=service.clock.now_ms))


@pytest.mark.parametrize("operation", ["GetMemory", "UpdateMemory", "DeleteMemory", "GetMemoryHistory"])
def test_a_key_of_another_tenant_finds_no_memory(service: Service, operation: str) -> None:
    """Not even by its id; the owner's key does, and the history names it."""
    memory = remember(service, "我住在杭州")
    update(service, memory["id"], title="住址")
    mine, theirs = (key_for(service, tenant) for tenant in ("t1", "t2"))
    body = name(memory["id"], **({"title": "家"} if operation == "UpdateMemory" else {}))
    unknown = {**body, "memoryId": memory["id"][:12] + "0" * 20}
    refusals = [service.call(operation, each, x_ots_apikey=theirs.secret) for each in (body, unknown)]
    assert [(status, answer["code"]) for status, answer in refusals] == [(404, "NOT_FOUND")] * 2
    assert service.call(operation, {**body, "scope": SCOPE}, x_ots_apikey=theirs.secret)[0] == 403
    assert service.call(operation, body, x_ots_apikey=mine.secret)[0] == 200
    if operation == "UpdateMemory":
        assert [each["actor"] for each in history(service, memory["id"])] == [mine.record.key_id, "anonymous"]


# ---------------------------------------------------------------- UpdateMemory


def test_a_new_text_keeps_everything_else(service: Service) -> None:
    """Metadata and creation stay, the version goes up, the text before is kept with who replaced it and when."""
    before = remember(service, "Likes tea", metadata={"source": "crm"})
    service.clock.advance(60)
    service.ok("UpdateMemory", name(before["id"], scope=SCOPE, text="Likes green tea"))
    after = service.ok("GetMemory", name(before["id"], scope=SCOPE))["memory"]
    changed = {"text": "Likes green tea", "search_text": "Likes green tea", "version": 2}
    assert after == {**before, **changed, "updated_at": "2026-11-30T10:01:00.000Z"}
    assert history(service, before["id"]) == [
        {"version": 1, "memory": before, "actor": "anonymous", "replacedAt": "2026-11-30T10:01:00.000Z"}
    ]


def test_a_new_text_is_found_and_the_old_one_is_not(service: Service) -> None:
    """By words and by vector, at once and in every process."""
    memory = remember(service, "我对花生过敏")
    elsewhere = second_process(service)
    assert elsewhere("花生") == ["我对花生过敏"]
    update(service, memory["id"], text="我对虾过敏")
    assert elsewhere("虾") == ["我对虾过敏"]
    (hit,) = service.search("我对虾过敏")
    assert hit["similarity"] == pytest.approx(1, abs=1e-3)
    assert service.search("花生", thresholds={"minScore": 0.5}) == elsewhere("peanuts") == []


def test_a_text_that_had_its_speaker_keeps_it(service: Service) -> None:
    """The indexed text of an episode names who spoke, also when a client sends back the shown form."""
    service.add("I wear size 43 shoes.", sync=True)
    (hit,) = service.search("shoes")
    episode = hit["unit"]
    assert episode["search_text"] == "user: I wear size 43 shoes."
    assert update(service, episode["id"], text="I wear size 44 shoes.")["search_text"] == "user: I wear size 44 shoes."
    shown = episode["text"].replace("43", "45")
    after = update(service, episode["id"], text=shown)
    assert (after["text"], after["search_text"]) == (shown, "user: I wear size 45 shoes.")
    assert update(service, episode["id"], text="鞋码四十六")["language"] == "zh"


@pytest.mark.parametrize(
    ("patch", "metadata"),
    [
        ({"b": "2"}, {"a": "1", "城市": "杭州", "b": "2"}),
        ({"a": "9"}, {"a": "9", "城市": "杭州"}),
        ({}, {}),
        ({"城市": None}, {"a": "1"}),
        ({"城市": None, "a": "", "new": "é"}, {"a": "", "new": "é"}),
        ({"e\u0301": "e\u0301"}, {"a": "1", "城市": "杭州", "é": "é"}),
    ],
)
def test_metadata_are_merged_by_key(service: Service, patch: dict[str, Any], metadata: dict[str, str]) -> None:
    """null removes a key, an empty object all; keys and values are kept in the form of every text."""
    memory = remember(service, "Likes tea", metadata={"a": "1", "城市": "杭州"})
    assert update(service, memory["id"], metadata=patch)["metadata"] == metadata
    assert service.search("tea", metadata=metadata)[0]["unit"]["version"] == 2


def test_metadata_keep_to_their_limits(service: Service) -> None:
    """What counts is the merged object: 16 keys, 65,536 bytes of JSON."""
    memory = remember(service, "Likes tea", metadata={f"k{n}": "v" for n in range(16)})
    body = name(memory["id"], metadata={"one more": "v"})
    assert service.refused("UpdateMemory", body) == (400, "metadata would have more than 16 keys")
    swapped = update(service, memory["id"], metadata={"k0": None, "one more": "v"})
    assert len(swapped["metadata"]) == 16
    update(service, memory["id"], metadata={"k1": "x" * 40_000})
    status, text = service.refused("UpdateMemory", name(memory["id"], metadata={"k2": "长" * 10_000}))
    assert (status, text) == (400, "metadata would have more than 65536 bytes of JSON")


def test_title_and_keywords_are_set_and_cleared(service: Service) -> None:
    """Empty ones clear; a keyword given twice counts once."""
    memory = remember(service, "我穿四十三码的鞋")
    set_ = update(service, memory["id"], title="鞋码" * 32, keywords=["鞋", "四十三码", "鞋"])
    assert (set_["title"], set_["keywords"]) == ("鞋码" * 32, ["鞋", "四十三码"])
    cleared = update(service, memory["id"], title="", keywords=[])
    assert (cleared.get("title"), cleared["keywords"], cleared["version"]) == (None, [], 3)


@pytest.mark.parametrize(
    ("precision", "text", "stored"),
    [
        ("second", "2026-02-28T23:30:00+08:00", "2026-02-28T15:30:00Z"),
        ("second", "2026-02-28T15:30:00.999Z", "2026-02-28T15:30:00Z"),
        ("day", "2024-02-29", "2024-02-29"),
        ("month", "0999-12", "0999-12"),
        ("year", "2019", "2019"),
    ],
)
def test_when_it_happened(service: Service, precision: str, text: str, stored: str) -> None:
    """In the form that the precision asks for."""
    memory = remember(service, "去西湖")
    after = update(service, memory["id"], effectiveAt=text, timePrecision=precision)
    assert (after["effective_at"], after["time_precision"], after["time_source"]) == (stored, precision, "client")


@pytest.mark.parametrize(
    ("precision", "text"),
    [
        ("second", "2026-02-30T10:00:00Z"),
        ("second", "2026-02-28"),
        ("second", ""),
        ("day", "2026-02-29"),
        ("day", "20260228"),
        ("day", "2026-W01-1"),
        ("day", "2026-02-28T10:00:00Z"),
        ("day", "２０２６-02-28"),
        ("month", "2026-13"),
        ("month", "2026-1"),
        ("year", "0000"),
        ("year", "26"),
        ("year", "二〇二六"),
    ],
)
def test_times_that_no_calendar_has(service: Service, precision: str, text: str) -> None:
    """400 naming the field, and nothing changes."""
    memory = remember(service, "去西湖")
    body = name(memory["id"], effectiveAt=text, timePrecision=precision)
    status, problem = service.refused("UpdateMemory", body)
    assert (status, problem.startswith("effectiveAt ")) == (400, True), problem
    assert service.ok("GetMemory", name(memory["id"]))["memory"] == memory


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, "text is required, or metadata, title, keywords, or effectiveAt with timePrecision"),
        ({"expectedVersion": 1}, "text is required, or metadata, title, keywords, or effectiveAt with timePrecision"),
        ({"text": None, "title": None}, "text is required, or metadata"),
        ({"effectiveAt": "2026"}, "effectiveAt and timePrecision must be given together"),
        ({"timePrecision": "year"}, "effectiveAt and timePrecision must be given together"),
        ({"effectiveAt": "2026", "timePrecision": "week"}, "timePrecision "),
        ({"text": ""}, "text must not be blank"),
        ({"text": " \u3000\n\x00"}, "text must not be blank"),
        ({"text": "长" * 10_667}, "text must be at most 32000 bytes"),
        ({"title": "x" * 65}, "title must be at most 64 characters"),
        ({"keywords": ["x"] * 9}, "keywords "),
        ({"keywords": ["ok", "词" * 33]}, "keywords[1] must be 1 to 32 characters"),
        ({"keywords": [" "]}, "keywords[0] must be 1 to 32 characters"),
        ({"keywords": "x"}, "keywords must be an array"),
        ({"metadata": {"a": 1}}, "metadata.a must be a string"),
        ({"metadata": {"": "x"}}, "metadata keys must be 1 to 64 characters"),
        ({"metadata": {"k" * 65: "x"}}, "metadata keys must be 1 to 64 characters"),
        ({"metadata": {"a": "x", "a\x00": "y"}}, "metadata has keys that are empty or the same"),
        ({"title": "x", "expectedVersion": 0}, "expectedVersion "),
        ({"title": "x", "version": 3}, "version is not a known field"),
    ],
)
def test_patches_that_are_refused(service: Service, fields: dict[str, Any], problem: str) -> None:
    """The error starts with the field."""
    memory = remember(service, "Likes tea")
    status, text = service.refused("UpdateMemory", name(memory["id"], **fields))
    assert (status, text.startswith(problem)) == (400, True), text


def test_a_patch_that_changes_nothing(service: Service) -> None:
    """`updated` is false, the version stays, and no version is kept."""
    memory = remember(service, "Likes tea", metadata={"a": "1"})
    same = {
        "text": "Likes tea",
        "metadata": {"a": "1", "absent": None},
        "title": "",
        "keywords": [],
        "effectiveAt": memory["effective_at"],
        "timePrecision": "second",
    }
    service.clock.advance(5)
    answer = service.ok("UpdateMemory", name(memory["id"], **same))
    assert answer == {"memory": memory, "updated": False, "memoryStoreName": "mem"}
    assert history(service, memory["id"]) == []


def test_an_expected_version(service: Service) -> None:
    """Any other is refused with 409."""
    memory = remember(service, "Likes tea")
    assert update(service, memory["id"], title="a", expectedVersion=1)["version"] == 2
    status, answer = service.call("UpdateMemory", name(memory["id"], title="b", expectedVersion=1))
    assert (status, answer["code"]) == (409, "CONFLICT")
    assert service.ok("GetMemory", name(memory["id"]))["memory"]["title"] == "a"


def test_patches_at_the_same_time_both_hold(service: Service) -> None:
    """The one that comes second is applied to what the first made."""
    memory = remember(service, "Likes tea", metadata={"a": "1"})
    Intruded(service, lambda: update(service, memory["id"], metadata={"b": "2"}, title="first"))
    after = update(service, memory["id"], metadata={"c": "3"}, title="second")
    assert (after["metadata"], after["title"], after["version"]) == ({"a": "1", "b": "2", "c": "3"}, "second", 3)
    assert [each["version"] for each in history(service, memory["id"])] == [2, 1]


def test_an_expected_version_loses_the_race(service: Service) -> None:
    """The change that came between is told, not overwritten."""
    memory = remember(service, "Likes tea")
    Intruded(service, lambda: update(service, memory["id"], title="first"))
    assert service.refused("UpdateMemory", name(memory["id"], title="second", expectedVersion=1))[0] == 409


def test_a_worker_that_adds_evidence_in_between(service: Service) -> None:
    """Neither the evidence nor the patch is lost."""
    memory = remember(service, "Likes tea")
    messages = [{"role": "user", "content": "Likes tea", "messageId": "again"}]
    Intruded(service, lambda: service.add(messages, infer=False, sync=True))
    after = update(service, memory["id"], text="Likes green tea")
    assert (after["seen_count"], after["text"], after["version"]) == (2, "Likes green tea", 3)
    assert [hit["unit"]["seen_count"] for hit in service.search("green")] == [2]


@pytest.mark.parametrize(("operation", "patch"), [("UpdateMemory", {"title": "x"}), ("DeleteMemory", {})])
def test_others_that_keep_winning(service: Service, operation: str, patch: dict[str, str]) -> None:
    """After a few tries the caller is asked to come again, and nothing was done."""
    memory = remember(service, "Likes tea")
    numbers = iter(range(1_000))
    intruded = Intruded(service, lambda: service.add(f"note {next(numbers)}", infer=False, sync=True), times=100)
    status, answer = service.call(operation, name(memory["id"], **patch))
    assert (status, answer["code"]) == (503, "OTSServerBusy")
    intruded.left = 0
    assert service.ok("GetMemory", name(memory["id"]))["memory"] == memory


@pytest.mark.parametrize(("operation", "patch"), [("UpdateMemory", {"title": "x"}), ("DeleteMemory", {})])
def test_a_store_that_is_deleted_in_between(service: Service, operation: str, patch: dict[str, str]) -> None:
    """Nothing is written below a store that is gone."""
    memory = remember(service, "Likes tea")
    Intruded(service, lambda: service.ok("DeleteMemoryStore", {"memoryStoreName": "mem"}))
    assert service.refused(operation, name(memory["id"], **patch))[0] == 404


def hide_by_scope(service: Service) -> None:
    """What the deletion of the whole tenant leaves: its `gone` record."""
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    marks = [{"agentId": "*", "runId": "*", "generation": 1}]
    service.services.table.write([Put(Item(keys.gone(keys.tenant_partition(uid, "shop", "t1")), {"marks": marks}))])


@pytest.mark.parametrize(("operation", "patch"), [("UpdateMemory", {"title": "x"}), ("DeleteMemory", {})])
def test_a_scope_that_is_deleted_in_between(service: Service, operation: str, patch: dict[str, str]) -> None:
    """The memory is gone with its scope; an update does not bring it back."""
    memory = remember(service, "Likes tea")
    Intruded(service, lambda: hide_by_scope(service))
    assert service.refused(operation, name(memory["id"], **patch))[0] == 404
    assert service.search("tea") == []


# ---------------------------------------------------------------- GetMemoryHistory


def test_versions_come_newest_first_in_pages(service: Service) -> None:
    """The present one is not among them; a token belongs to its memory."""
    memory = remember(service, "第一版")
    for number in range(2, 7):
        service.clock.advance(1)
        update(service, memory["id"], text=f"第{number}版")
    whole = history(service, memory["id"])
    assert [each["version"] for each in whole] == [5, 4, 3, 2, 1]
    assert [each["memory"]["text"] for each in whole] == ["第5版", "第4版", "第3版", "第2版", "第一版"]
    assert [each["replacedAt"][17:23] for each in whole] == ["05.000", "04.000", "03.000", "02.000", "01.000"]
    page = service.ok("GetMemoryHistory", name(memory["id"], limit=3))
    rest = service.ok("GetMemoryHistory", name(memory["id"], limit=3, nextToken=page["nextToken"]))
    assert page["versions"] + rest["versions"] == whole
    assert "nextToken" not in rest
    assert page["memoryId"] == memory["id"]
    other = remember(service, "another")
    status, text = service.refused("GetMemoryHistory", name(other["id"], nextToken=page["nextToken"]))
    assert (status, text.startswith("nextToken ")) == (400, True)


def test_versions_of_an_earlier_life_are_not_told(service: Service) -> None:
    """A memory that came back after its scope was deleted has no past."""
    memory = remember(service, "Likes tea")
    update(service, memory["id"], title="secret")
    hide_by_scope(service)
    assert service.refused("GetMemoryHistory", name(memory["id"]))[0] == 404
    back = remember(service, "Likes tea")
    assert (back["id"], back.get("title")) == (memory["id"], None)
    assert history(service, memory["id"]) == []


# ---------------------------------------------------------------- DeleteMemory


def stored(service: Service, unit_id: str) -> list[Item]:
    """All that lies under the memory's id."""
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    partition = keys.tenant_partition(uid, "shop", "t1")
    ranges = [keys.prefix_range(f"{kind}/{unit_id}") for kind in ("unit", "old")]
    return [item for span in ranges for item in service.services.table.query(partition, *span, limit=1_000).items]


def test_a_deleted_memory_is_gone_everywhere(service: Service) -> None:
    """By id, in search and in lists, in every process; a second delete finds none."""
    memory = remember(service, "我喜欢绿茶")
    elsewhere = second_process(service)
    assert elsewhere("绿茶") == ["我喜欢绿茶"]
    answer = service.ok("DeleteMemory", name(memory["id"], scope=SCOPE))
    assert answer == {"deleted": True, "memoryId": memory["id"], "memoryStoreName": "mem"}
    assert elsewhere("绿茶") == service.search("绿茶") == []
    assert service.ok("ListMemories", {"memoryStoreName": "mem", "scope": SCOPE})["memories"] == []
    for operation in ("GetMemory", "DeleteMemory", "GetMemoryHistory"):
        assert service.refused(operation, name(memory["id"]))[0] == 404
    assert service.refused("UpdateMemory", name(memory["id"], text="我喜欢红茶"))[0] == 404


def test_no_word_of_it_stays(service: Service) -> None:
    """Neither in its record nor in its versions, however many there are."""
    memory = remember(service, "secret tea")
    for number in range(40):
        update(service, memory["id"], text=f"secret tea {number}")
    assert len(stored(service, memory["id"])) == 41
    service.ok("DeleteMemory", name(memory["id"]))
    (tombstone,) = stored(service, memory["id"])
    assert set(tombstone.body) == {"id", "scope", "deletedMs", "born"}
    assert tombstone.blob == b""


def test_only_what_is_said_anew_brings_it_back(service: Service) -> None:
    """A repeat of the old message does not; a new one does, as a new version without a past."""
    messages = [{"role": "user", "content": "我喜欢绿茶", "messageId": "m1"}]
    memory = remember(service, messages)
    update(service, memory["id"], title="茶")
    service.ok("DeleteMemory", name(memory["id"]))
    service.clock.advance(1)
    service.add(messages, infer=False, sync=True)
    assert service.refused("GetMemory", name(memory["id"]))[0] == 404
    assert len(service.messages()) == 1
    back = remember(service, [{**messages[0], "messageId": "m2"}])
    assert (back["id"], back.get("title"), back["version"]) == (memory["id"], None, 4)
    assert history(service, memory["id"]) == []


def test_evidence_goes_along_where_asked_for(service: Service) -> None:
    """`cascade` deletes the messages behind it and the marks of their ids, so that they can be added again."""
    messages = [{"role": "user", "content": "我喜欢绿茶", "messageId": "m1"}]
    memory = remember(service, messages)
    service.add("Something else.", sync=True)
    answer = service.ok("DeleteMemory", name(memory["id"], cascade="evidence"))
    assert (answer["deleted"], answer["deletedMessages"]) == (True, 1)
    assert [message["content"] for message in service.messages()] == ["Something else."]
    service.clock.advance(1)
    assert remember(service, messages)["id"] == memory["id"]
    assert len(service.messages()) == 2
    assert service.refused("DeleteMemory", name(memory["id"], cascade="all"))[0] == 400


def test_evidence_of_another_conversation_stays(service: Service) -> None:
    """The same message in two conversations is two messages."""
    messages = [{"role": "user", "content": "我喜欢绿茶", "messageId": "m1"}]
    memory = remember(service, messages)
    remember(service, messages, scope=OTHER_RUN)
    service.ok("DeleteMemory", name(memory["id"], cascade="evidence"))
    assert (len(service.messages()), len(service.messages(scope=OTHER_RUN))) == (0, 1)


def test_two_deletes_at_the_same_time(service: Service) -> None:
    """One of them did it, the other finds none."""
    memory = remember(service, "Likes tea")
    Intruded(service, lambda: service.ok("DeleteMemory", name(memory["id"])))
    assert service.refused("DeleteMemory", name(memory["id"]))[0] == 404


def test_an_update_that_comes_before_the_delete(service: Service) -> None:
    """The version that the update kept goes as well."""
    memory = remember(service, "Likes tea")
    Intruded(service, lambda: update(service, memory["id"], title="x"))
    service.ok("DeleteMemory", name(memory["id"]))
    assert len(stored(service, memory["id"])) == 1


def test_ids_of_another_tenant_in_the_same_store(service: Service) -> None:
    """An id is looked for in the tenant that it names, never elsewhere."""
    mine, theirs = remember(service, "Likes tea"), remember(service, "Likes tea", scope=OTHER_TENANT)
    assert mine["id"][12:] != theirs["id"][12:]
    assert theirs["scope"] == Scope.model_validate(OTHER_TENANT).to_json()
    mixed = mine["id"][:12] + theirs["id"][12:]
    assert service.refused("GetMemory", name(mixed))[0] == 404
    service.ok("DeleteMemory", name(mine["id"]))
    assert service.ok("GetMemory", name(theirs["id"]))["memory"] == theirs
