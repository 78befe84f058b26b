"""What the steps of a case do: operations of the service, and what only a test can do to it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

from agent_memory.local.functions import load_handler
from agent_memory.local.sqs_events import sqs_event
from agent_memory.services import use_services
from agent_memory.times import parse_rfc3339
from tests.cases.case_files import NotServed
from tests.cases.models import scripted
from tests.cases.recipes import batches, filled
from tests.cases.run import OK, Reply, Run
from tests.cases.scan import occurrences
from tests.cases.wording import SCRIPTS, body_of, operation_of

OTHER_TENANT = "the other tenant"
WORKERS = {"extraction": "extraction_worker", "maintenance": "maintenance_worker"}
TEST_ONLY = ("setQuota", "resume")  # verbs that come with what they test

Step = dict[str, Any]


def take(run: Run, step: Step) -> None:
    """Do one step."""
    verb = step["op"]
    if verb in TEST_ONLY:
        raise NotServed(verb)
    _VERBS.get(verb, _operation)(run, step)


def _operation(run: Run, step: Step) -> None:
    """Call the operation once for each batch of its messages, and as often as the step says.

    A step with a script of its own has it from then on.
    """
    script = {name: step[name] for name in SCRIPTS if name in step}
    if script:
        run.service.services.__dict__["language_model"] = scripted(script)
    for body in _bodies(run, step, 0):
        for _ in range(step.get("repeat", 1)):
            if step.get("followNextToken"):
                _follow(run, operation_of(step), body, step.get("between", []))
            else:
                run.call(operation_of(step), body)
    if step["op"] == "AddMemories" and step.get("infer") is False and not step.get("holdQueue"):
        run.drain()  # steps after a text that is stored as it is do not wait for its task


def _bodies(run: Run, step: Step, number: int) -> list[dict[str, Any]]:
    body = body_of(step)
    messages = body.pop("messages", None)
    body = filled(body, number)
    if "by" in step:
        body |= _IDS[step["by"]](run)
    if str(body.get("nextToken", "")) in _TOKENS:
        body["nextToken"] = _TOKENS[body["nextToken"]](run)
    if not isinstance(messages, list) or not messages:
        return [body if messages is None else {**body, "messages": messages}]
    return [{**body, "messages": batch} for batch in batches(messages, number)]


def _follow(run: Run, operation: str, body: dict[str, Any], between: list[Step]) -> None:
    """All pages as one reply; `between` are steps that happen once the first page was read."""
    joined: Reply | None = None
    for page in run.pages(operation, body):
        if joined is None:
            joined = page
            for step in between:
                take(run, step)
            continue
        joined.entries.extend(page.entries)
        joined.pages += 1
        run.replies.remove(page)


def _seed(run: Run, step: Step) -> None:
    """Memories that are there already."""
    if step.keys() - {"op", "facts", "scope"}:
        raise NotServed(f"seed with {sorted(step)}")
    for fact in filled(step["facts"]):
        message = {"role": "user", "content": fact}
        run.call(
            "AddMemories", {"memoryStoreName": "mem", "scope": step["scope"], "messages": [message], "infer": False}
        )
    run.drain()


def _parallel(run: Run, step: Step) -> None:
    """The same step many times at once, each with its number."""
    each = step["each"]
    bodies = [body for number in range(step["n"]) for body in _bodies(run, each, number)]
    with ThreadPoolExecutor(step["n"]) as threads:
        list(threads.map(lambda body: run.call(operation_of(each), body), bodies))
    run.drain()


def _redeliver(run: Run, step: Step) -> None:
    """Hand every job that was done out again, as a queue that delivers at least once may."""
    run.drain()
    use_services(run.service.services)
    for _ in range(step.get("times", 1)):
        for delivery in tuple(run.queue.delivered):
            event = sqs_event([delivery], region="local", received_ms=run.service.clock.now_ms)
            load_handler(WORKERS[delivery.queue])(event, None)


def _lose_queue(run: Run, _step: Step) -> None:
    """What waits in the queue is gone."""
    for queue in WORKERS:
        while waiting := run.queue.queue.receive(queue, 10):
            for delivery in waiting:
                run.queue.acknowledge(delivery)


def _sweep(run: Run, step: Step) -> None:
    """The sweeper comes by, after so many seconds."""
    run.service.clock.advance(step.get("after", 0))
    run.service.sweep()


def _set_clock(run: Run, step: Step) -> None:
    run.service.clock.now_ms = parse_rfc3339(step["now"])


def _scan(run: Run, step: Step) -> None:
    """Look for a text in everything that is stored."""
    run.occurrences = (run.occurrences or 0) + occurrences(run.service.services, run.queue, step["needle"])


def _break_embedder(run: Run, step: Step) -> None:
    """The next embeddings of memories fail."""
    run.embedder.failures = step["times"]


def _raw(run: Run, step: Step) -> None:
    """A body that is no step of its own, such as one that is no JSON."""
    run.call(step["operation"], step["body"])


def _token_of_another_scope(run: Run) -> str:
    """A good token, of the same operation and limit, for a tenant that the case does not know."""
    scope = {"appId": "shop", "tenantId": OTHER_TENANT}
    for number in count(1):
        content = f"something of another tenant, {number}"
        run.service.ok("AddMemories", {"memoryStoreName": "mem", "scope": scope, "text": content, "infer": False})
        run.drain()
        answer = run.service.ok(
            "ListMemories", {"memoryStoreName": "mem", "scope": {**scope, "agentId": "*"}, "limit": 1}
        )
        if "nextToken" in answer:
            return str(answer["nextToken"])
    raise AssertionError


def _last_token(run: Run) -> str:
    """The last token that any call was answered with."""
    tokens = [reply.answer.get("nextToken") for reply in run.replies if reply.status == OK]
    return str([token for token in tokens if token][-1])


def _bent(token: str) -> str:
    """The token with one character changed."""
    middle = len(token) // 2
    return token[:middle] + ("A" if token[middle] != "A" else "B") + token[middle + 1 :]


_IDS: dict[str, Callable[[Run], dict[str, Any]]] = {
    "lastMemoryId": lambda run: {"memoryId": run.last_memory_id},
    "lastTaskId": lambda run: {"requestId": run.last_task_id},
}
_TOKENS: dict[str, Callable[[Run], str]] = {
    "token of another scope": _token_of_another_scope,
    "the last token": _last_token,
    "the last token, bent": lambda run: _bent(_last_token(run)),
}
_VERBS: dict[str, Callable[[Run, Step], None]] = {
    "waitTask": lambda run, _step: run.wait(),
    "releaseQueue": lambda run, _step: run.wait(),
    "seed": _seed,
    "parallel": _parallel,
    "redeliverSqs": _redeliver,
    "loseQueue": _lose_queue,
    "sweep": _sweep,
    "setClock": _set_clock,
    "scanAllTables": _scan,
    "breakEmbedder": _break_embedder,
    "raw": _raw,
}
