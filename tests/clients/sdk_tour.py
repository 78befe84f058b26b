"""A tour with the official Python SDK (PyPI `tablestore`), which prints what it sends and gets.

    python tests/clients/sdk_tour.py LOCOMO_JSON --key-id ID --key-secret SECRET [--endpoint http://127.0.0.1:8787]

Creates a store, adds the first conversation in batches of 20, polls each task to `completed`, then asks the first
questions that a single turn answers and shows where that turn ranks among 50 results. Exit code 1 when a task does not
complete or fewer than `--least` of the turns are found.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from conversations import Conversation, Question, read_conversations

TOP = 50
EARLY = 10
POLLS = 600


def main() -> int:
    """The exit code."""
    arguments = _arguments()
    logging.disable(logging.WARNING)
    import tablestore

    client = tablestore.OTSClient(arguments.endpoint, arguments.key_id, arguments.key_secret, "default")
    conversation = read_conversations(Path(arguments.data))[0]
    store = f"tour_{uuid.uuid4().hex[:8]}"
    print(f"CreateMemoryStore {store}: {client.create_memory_store({'memoryStoreName': store})['createdAt']}")
    tasks = add_all(client.add_memories, store, conversation)
    ended = [poll(client.get_memory_task, store, task) for task in tasks]
    made = sum(len(task["derivedUnitIds"]) for task in ended)
    print(f"{len(ended)} tasks: {sorted({task['status'] for task in ended})}, {made} memories")
    asked = [question for question in conversation.questions if len(question.evidence) == 1][: arguments.questions]
    ranks = [ask(client.search_memories, store, conversation, question) for question in asked]
    found = sum(rank is not None for rank in ranks)
    early = sum(rank is not None and rank <= EARLY for rank in ranks)
    print(f"{len(asked)} questions: the answering turn is among {TOP} results for {found}, among {EARLY} for {early}")
    complete = all(task["status"] == "completed" for task in ended)
    return 0 if complete and found >= arguments.least else 1


def add_all(add_memories: Callable[..., Any], store: str, conversation: Conversation) -> list[str]:
    """Send the conversation; the task ids."""
    tasks = []
    for run, messages in conversation.batches():
        scope = {"appId": "tour", "tenantId": conversation.name, "agentId": "bench", "runId": run}
        answer = add_memories({"memoryStoreName": store, "scope": scope, "messages": messages})
        tasks.append(answer["requestId"])
    print(f"AddMemories x {len(tasks)}: last answer {answer}")
    return tasks


def poll(get_memory_task: Callable[..., Any], store: str, request_id: str) -> dict[str, Any]:
    """The task once it has ended, or as it is after a minute."""
    for _ in range(POLLS):
        task: dict[str, Any] = get_memory_task({"memoryStoreName": store, "requestId": request_id})["task"]
        if task["status"] not in ("queued", "running"):
            break
        time.sleep(0.1)
    return task


def ask(search_memories: Callable[..., Any], store: str, conversation: Conversation, question: Question) -> int | None:
    """The rank of the answering turn, None where it is not among the results."""
    scope = {"appId": "tour", "tenantId": conversation.name, "agentId": "*", "runId": "*"}
    body = {"memoryStoreName": store, "scope": scope, "query": question.text, "topK": TOP}
    results = search_memories(body)["results"]
    turns = [[ref["messageId"] for ref in hit["unit"]["source_turn_refs"]] for hit in results]
    rank = next((place for place, ids in enumerate(turns, 1) if question.evidence[0] in ids), None)
    best = results[rank - 1] if rank else results[0]
    print(question.text)
    print(f"    {question.evidence[0]:>7} at rank {rank}: {best['score']:.3f} {best['unit']['text'][:100]}")
    return rank


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--endpoint", default="http://127.0.0.1:8787")
    parser.add_argument("--key-id", required=True, help="of an access key: `agent-memory keys create`")
    parser.add_argument("--key-secret", required=True)
    parser.add_argument("--questions", type=int, default=10)
    parser.add_argument("--least", type=int, default=9)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
