"""Checks of single calls, their tasks and the memories that they show."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.cases.case_files import NotServed
from tests.cases.run import OK, Run

Check = Callable[[Run, Any], None]
NO_MODEL = ("rules", "verbatim")  # paths of a task on which no language model was asked
UTC_TEXT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z")


def status(run: Run, wanted: list[int]) -> None:
    """Of the last calls, as many as are named."""
    replies = run.replies[-len(wanted) :]
    found = [reply.judge() for reply in replies]
    assert found == wanted, [reply.short for reply in replies]


def last_status(run: Run, wanted: int) -> None:
    status(run, [wanted])


def cross_scope_token(run: Run, wanted: int) -> None:
    """Every call that a case makes with a token of its own choice."""
    found = [reply for reply in run.replies if reply.pages == 1 and "nextToken" in reply.body]
    assert found
    assert {reply.judge() for reply in found} == {wanted}, [reply.short for reply in found]


def same_task_id(run: Run, wanted: bool) -> None:
    ids = [r.answer["requestId"] for r in run.of_operation("AddMemories") if r.status == OK and "clientToken" in r.body]
    assert len(ids) > 1
    assert len(set(ids)) == (1 if wanted else len(ids)), ids


def different_body_status(run: Run, wanted: int) -> None:
    named = [reply for reply in run.of_operation("AddMemories") if "clientToken" in reply.body]
    first = named[0].body["messages"]
    other = [reply for reply in named if reply.body["messages"] != first]
    assert {reply.judge() for reply in other} == {wanted}


def first_has_task_id(run: Run, wanted: bool) -> None:
    first = run.of_operation("AddMemories")[0].answer
    assert bool(first.get("requestId")) == wanted


def task_states(run: Run, wanted: list[str]) -> None:
    assert run.states[run.last_task_id] == wanted


def task(run: Run, wanted: dict[str, Any]) -> None:
    """Of the last add; the code of an error stands before its words."""
    status, task = run.task(run.last_task_id)
    assert status == OK
    code = task.get("lastError", "").partition(":")[0]
    found = {"errorCode": code or None, **task}
    assert {name: found.get(name) for name in wanted} == wanted, task


def occurrences(run: Run, wanted: int) -> None:
    assert run.occurrences == wanted


def of_last_memory(name: str) -> Check:
    """A field of the memory that was shown last."""

    def holds(run: Run, wanted: Any) -> None:
        memory = run.of_operation("GetMemory", "UpdateMemory")[-1].answer["memory"]
        assert memory[name] == wanted, memory

    return holds


def _shown(run: Run) -> list[dict[str, Any]]:
    """The memories of the last search, or where there was none, all."""
    searches = run.of_operation("SearchMemories")
    found = [entry["unit"] for entry in searches[-1].entries] if searches else run.stored()
    assert found
    return found


def event_time(run: Run, wanted: str) -> None:
    assert _shown(run)[0]["effective_at"].startswith(wanted), _shown(run)[0]


def created_at_format(run: Run, wanted: str) -> None:
    if wanted != "RFC3339 UTC with Z":
        raise NotServed(f"a time format {wanted!r}")
    times = [unit[name] for unit in _shown(run) for name in ("created_at", "updated_at")]
    assert not [text for text in times if not UTC_TEXT.fullmatch(text)]


def _llm_calls(run: Run) -> int:
    """As the tasks report it, or none where they say that no model was asked."""
    tasks = [task for status, task in map(run.task, run.states) if status == OK]
    assert all("llmCalls" in task or task.get("path") in NO_MODEL for task in tasks), tasks
    return sum(task.get("llmCalls", 0) for task in tasks)


def llm_calls(run: Run, wanted: int) -> None:
    assert _llm_calls(run) == wanted


def max_embed_calls(run: Run, wanted: int) -> None:
    assert run.embedder.calls <= wanted


def no_more_llm_calls(run: Run, wanted: int) -> None:
    assert _llm_calls(run) <= wanted


OF_CALLS: dict[str, Check] = {
    "createdAtFormat": created_at_format,
    "crossScopeToken": cross_scope_token,
    "differentBodyStatus": different_body_status,
    "eventTime": event_time,
    "firstHasTaskId": first_has_task_id,
    "lastStatus": last_status,
    "llmCalls": llm_calls,
    "maxEmbedCalls": max_embed_calls,
    "maxLlmCalls": no_more_llm_calls,
    "metadata": of_last_memory("metadata"),
    "occurrences": occurrences,
    "sameTaskId": same_task_id,
    "status": status,
    "task": task,
    "taskStates": task_states,
    "text": of_last_memory("text"),
    "version": of_last_memory("version"),
}
