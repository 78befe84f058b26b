"""Create, get, list, update and delete of memory stores."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import SCOPE, Service


def test_a_new_store_has_the_documented_shape_and_defaults(service: Service) -> None:
    """CreateMemoryStore answers the store object, which GetMemoryStore repeats."""
    body = {"memoryStoreName": "shop_mem", "description": "Shop bot 店铺", "extractInstructions": "Keep sizes"}
    created = service.ok("CreateMemoryStore", body)
    expected = {
        "otsInstance": "default",
        "memoryStoreName": "shop_mem",
        "description": "Shop bot 店铺",
        "extractInstructions": "Keep sizes",
        "inputType": "messages",
        "outputTypes": ["structured"],
        "wikiReflectionEnabled": False,
        "createdAt": "2026-11-30T10:00:00.000Z",
        "updatedAt": "2026-11-30T10:00:00.000Z",
    }
    assert {name: created[name] for name in expected} == expected
    assert created["storeUid"].startswith("store_")
    assert service.ok("GetMemoryStore", {"memoryStoreName": "shop_mem"}) == created


def test_unset_texts_are_left_out(service: Service) -> None:
    """A store without description and instructions does not show them."""
    answer = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})
    assert not {"description", "extractInstructions", "storageMode"} & set(answer)


def test_a_taken_name_is_a_conflict_that_changes_nothing(service: Service) -> None:
    """The second CreateMemoryStore of a name answers 409."""
    before = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})
    status, answer = service.call("CreateMemoryStore", {"memoryStoreName": "mem", "description": "other"})
    assert (status, answer["code"]) == (409, "CONFLICT")
    assert service.ok("GetMemoryStore", {"memoryStoreName": "mem"}) == before


@pytest.mark.parametrize(
    ("mode", "types"),
    [
        ("ots", ("messages", ["structured"])),
        ("file+ots", ("messages", ["structured", "file"])),
        ("filemem", ("file", ["file"])),
    ],
)
def test_legacy_storage_modes_stand_for_input_and_outputs(
    service: Service, mode: str, types: tuple[str, list[str]]
) -> None:
    """storageMode is kept and translated."""
    store = service.ok("CreateMemoryStore", {"memoryStoreName": "old", "storageMode": mode})
    assert (store["storageMode"], store["inputType"], store["outputTypes"]) == (mode, *types)


def test_stores_are_listed_by_name_each_once_while_others_come(service: Service) -> None:
    """Paging by name never repeats a store, even when stores are made between the pages."""
    for number in range(7):
        service.ok("CreateMemoryStore", {"memoryStoreName": f"s{number}"})
    seen: list[str] = []
    token: dict[str, Any] = {}
    while True:
        page = service.ok("ListMemoryStores", {"limit": 2, **token})
        seen += [store["memoryStoreName"] for store in page["stores"]]
        service.call("CreateMemoryStore", {"memoryStoreName": f"a{len(seen)}"})
        if "nextToken" not in page:
            break
        token = {"nextToken": page["nextToken"]}
    assert seen == sorted(set(seen))
    assert {"mem", *(f"s{number}" for number in range(7))} <= set(seen)


def test_an_empty_body_lists_all_stores(service: Service) -> None:
    """`{}` is what the official doctor sends; an empty body means the same."""
    assert service.ok("ListMemoryStores", {}) == service.ok("ListMemoryStores", "")


def test_update_is_a_patch(service: Service) -> None:
    """Absent and null keep, an empty text clears, updatedAt moves, createdAt stays."""
    service.ok("CreateMemoryStore", {"memoryStoreName": "s", "description": "d", "extractInstructions": "i"})
    service.clock.advance(60)
    patch = {"memoryStoreName": "s", "description": "", "extractInstructions": None, "wikiReflectionEnabled": True}
    store = service.ok("UpdateMemoryStore", patch)
    assert "description" not in store
    assert (store["extractInstructions"], store["wikiReflectionEnabled"]) == ("i", True)
    assert (store["createdAt"], store["updatedAt"]) == ("2026-11-30T10:00:00.000Z", "2026-11-30T10:01:00.000Z")


def test_an_update_without_fields_echoes_the_store(service: Service) -> None:
    """Nothing given, nothing changed, not even updatedAt."""
    before = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})
    service.clock.advance(60)
    assert service.ok("UpdateMemoryStore", {"memoryStoreName": "mem"}) == before


@pytest.mark.parametrize("field", ["inputType", "storageMode"])
def test_immutable_fields_are_refused(service: Service, field: str) -> None:
    """inputType and storageMode cannot be updated."""
    status, message = service.refused("UpdateMemoryStore", {"memoryStoreName": "mem", field: "messages"})
    assert (status, message) == (400, f"{field} is not a known field")


def test_outputs_must_fit_the_input(service: Service) -> None:
    """An update to outputs that the input cannot have is refused with the field's name."""
    service.ok("CreateMemoryStore", {"memoryStoreName": "f", "inputType": "file", "outputTypes": ["file"]})
    status, message = service.refused("UpdateMemoryStore", {"memoryStoreName": "f", "outputTypes": ["structured"]})
    assert status == 400
    assert message.startswith("outputTypes")


@pytest.mark.parametrize("name", ["GetMemoryStore", "UpdateMemoryStore", "DeleteMemoryStore"])
def test_a_missing_store_is_not_found(service: Service, name: str) -> None:
    """404 NOT_FOUND, the code that the official command line maps to its exit code 3."""
    status, answer = service.call(name, {"memoryStoreName": "nowhere"})
    assert (status, answer["code"]) == (404, "NOT_FOUND")


def test_a_deleted_store_is_gone_at_once_and_its_data_soon(service: Service) -> None:
    """Invisible to every operation right after the call; a new store of the name starts empty; the job removes all."""
    for run in ("r1", "r2", "会话 3"):
        service.add(f"I collect stamps {run}", scope={**SCOPE, "runId": run})
    service.drain()
    uid = service.ok("GetMemoryStore", {"memoryStoreName": "mem"})["storeUid"]
    assert service.ok("DeleteMemoryStore", {"memoryStoreName": "mem"}) == {"deleted": True, "memoryStoreName": "mem"}
    for name, body in (
        ("GetMemoryStore", {}),
        ("SearchMemories", {"scope": SCOPE, "query": "stamps"}),
        ("ListMemoryStoreMessages", {"scope": SCOPE}),
        ("ListMemoryStoreScopes", {}),
        ("AddMemories", {"scope": SCOPE, "messages": [{"role": "user", "content": "x"}]}),
    ):
        assert service.call(name, {"memoryStoreName": "mem", **body})[0] == 404, name
    service.ok("CreateMemoryStore", {"memoryStoreName": "mem"})
    assert (service.search("stamps"), service.messages()) == ([], [])
    service.drain("maintenance")
    assert records_below(service, uid) == []


def test_a_job_of_a_deleted_store_writes_nothing(service: Service) -> None:
    """An extraction that was queued before the delete leaves no record behind, in either order of the jobs."""
    for order in (("extraction", "maintenance"), ("maintenance", "extraction")):
        service.ok("CreateMemoryStore", {"memoryStoreName": "gone"})
        uid = service.ok("GetMemoryStore", {"memoryStoreName": "gone"})["storeUid"]
        service.add("My bike is green", store="gone")
        service.ok("DeleteMemoryStore", {"memoryStoreName": "gone"})
        for queue in order:
            service.drain(queue)
        service.drain("maintenance")
        assert records_below(service, uid) == []


def records_below(service: Service, uid: str) -> list[str]:
    """Partition keys of everything that is stored under the store's uid, or waits in the outbox for it."""
    query = "SELECT pk FROM items WHERE pk LIKE ? OR body LIKE ?"  # no port looks at all partitions at once
    with service.services.table._pool.connection() as connection:
        return [row[0] for row in connection.execute(query, (f"{uid}%", f"%{uid}%"))]
