"""The memory pages of the dashboard: where they are, what to do there and what must come to be seen."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from tests.clients.operations import MESSAGES, SAID, SCOPE

NOTED = str(MESSAGES[1]["content"])
PEANUTS = "我对花生过敏"
LONG = [f"Shoe number {count} of the order." for count in range(101, 161)]  # more than the dashboard asks for at once
SUBMIT = {"click": "main button[type=submit]"}
DIALOG = "[role=dialog]"
TOAST = "[data-sonner-toast]"


def pages(store: str, task: str) -> list[dict[str, Any]]:
    """For a store with MESSAGES in SCOPE, which `task` has settled, and LONG in the run `long`."""
    own, query = f"/memory/{store}", urlencode(SCOPE)
    return [
        *_of_the_instance(store),
        {"name": "scope", "path": f"{own}/scope", "shows": [PEANUTS]},
        *_units(f"{own}/units?{query}"),
        *_search(f"{own}/search?{query}"),
        {"name": "messages", "path": f"{own}/messages?{query}", "shows": [SAID, NOTED], "inOrder": True},
        _long(f"{own}/messages?{urlencode({**SCOPE, 'runId': 'long'})}"),
        *_tasks(f"{own}/tasks?{query}", task),
        *_requests(f"{own}/requests?{query}"),
        *_settings(f"{own}/settings?{query}"),
        {"name": "dream", "path": f"{own}/dream?{query}", "shows": ["Dream"]},
        {"name": "wiki", "path": f"{own}/wiki?{query}", "shows": ["Wiki"]},
    ]


def _of_the_instance(store: str) -> list[dict[str, Any]]:
    named = {"fill": "main input:not([type=radio], [type=checkbox])", "with": f"{store}_2"}
    return [
        {"name": "stores", "path": "/memory", "shows": [store]},
        {"name": "create", "path": "/memory/create", "does": [named, SUBMIT], "shows": [f"{store}_2"]},
    ]


def _units(path: str) -> list[dict[str, Any]]:
    row = f"main tr:has-text('{PEANUTS}')"
    titled = {"fill": f"{DIALOG} [name=title]", "with": "过敏"}
    edit = [{"click": f"{row} button[title=Edit]"}, titled, {"click": f"{DIALOG} button:has-text('Save')"}]
    told = [{"fill": f"{DIALOG} textarea", "with": "我住在杭州。"}, {"click": f"{DIALOG} button:has-text('Submit')"}]
    return [
        {"name": "units", "path": path, "shows": [PEANUTS]},
        {
            "name": "units-detail",
            "path": path,
            "does": [{"click": f"{row} button[title='View details']"}],
            "within": DIALOG,
            "shows": [PEANUTS, "shop / u42 / bot / s1"],
        },
        {"name": "units-edited", "path": path, "does": edit, "within": TOAST, "shows": ["updated"]},
        {
            "name": "units-added",
            "path": path,
            "does": [{"click": "main button:has-text('Add Memory')"}, *told],
            "within": TOAST,
            "shows": ["Memory"],
        },
    ]


def _search(path: str) -> list[dict[str, Any]]:
    asked = {"fill": "main textarea", "with": "花生"}
    more = [
        {"click": "main button:has-text('More search settings')"},
        {"fill": "main [id$=min-score]", "with": "0.1"},
        {"fill": "main [id$=context-scope]", "with": '{"appId":"shop","tenantId":"u42","agentId":"bot","runId":"s1"}'},
    ]
    return [
        {"name": "search", "path": path, "does": [asked, SUBMIT], "shows": [PEANUTS]},
        {"name": "search-settings", "path": path, "does": [*more, asked, SUBMIT], "shows": [PEANUTS, "evidence"]},
    ]


def _long(path: str) -> dict[str, Any]:
    return {
        "name": "messages-earlier",
        "path": path,
        "does": [{"click": "main button:has-text('earlier')"}],
        "shows": [LONG[0], LONG[len(LONG) // 2], LONG[-1]],
        "inOrder": True,
    }


def _tasks(path: str, task: str) -> list[dict[str, Any]]:
    opened = [{"click": f"main tr:has-text('{task}') button:has-text('Details')"}]
    shown = [SAID, "ingest"]
    return [
        {"name": "tasks", "path": path, "shows": [task, "Completed"]},
        {"name": "tasks-detail", "path": path, "does": opened, "within": DIALOG, "shows": shown},
    ]


def _requests(path: str) -> list[dict[str, Any]]:
    opened = [{"click": "main tr:has-text('AddMemories') button"}]
    return [
        {"name": "requests", "path": path, "shows": ["AddMemories"]},
        {"name": "requests-detail", "path": path, "does": opened, "within": DIALOG, "shows": ["AddMemories"]},
    ]


def _settings(path: str) -> list[dict[str, Any]]:
    changed = [{"fill": "main textarea", "with": "大鞋店"}, SUBMIT]
    return [
        {"name": "settings", "path": path, "shows": ["store_"]},
        {"name": "settings-saved", "path": path, "does": changed, "within": TOAST, "shows": ["Memory"]},
    ]
