"""The service with a real, small language model: what an add promises whatever the model makes of it.

`make test-llm` starts these; they are skipped where AGENT_MEMORY_TEST_LLM does not name the file of a model.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_memory.text import normalised
from tests.flows.server_process import STORE, Client, ServerProcess, wait_until
from tests.llm.model_process import model_served

MODEL = os.environ.get("AGENT_MEMORY_TEST_LLM", "")
ANSWER_STEPS = 12_000  # ten minutes

pytestmark = pytest.mark.skipif(not MODEL, reason="AGENT_MEMORY_TEST_LLM does not name a model; make test-llm does")

TALKS = {
    "en": [
        {
            "role": "user",
            "content": "I moved to Antwerp in May and I work as a florist. Do you know a good bakery?",
        },
        {"role": "assistant", "content": "You must love chocolate, then!"},
        {"role": "user", "content": "I'm allergic to hazelnuts."},
    ],
    "zh": [
        {"role": "user", "content": "我上个月搬到了厦门，现在在一家花店工作。附近有好吃的面包店吗？"},
        {"role": "assistant", "content": "您一定很爱吃巧克力吧！"},
        {"role": "user", "content": "我对榛子过敏。"},
    ],
}

HEAD = re.compile(r"^\[[^\]]*\] [^:]*: ")
UNSAID = {"en": "chocolate", "zh": "巧克力"}  # by the user


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of the embedded server, which asks the model."""
    folder = tmp_path_factory.mktemp("llm")
    with model_served(Path(MODEL), folder) as url:
        settings = {
            "AGENT_MEMORY_LLM": "openai",
            "AGENT_MEMORY_LLM_MODEL": Path(MODEL).stem,
            "AGENT_MEMORY_LLM_BASE_URL": url,
            "AGENT_MEMORY_LLM_TIMEOUT_SECONDS": "600",
            "AGENT_MEMORY_LLM_BATCH_CHARACTERS": "2000",
            "AGENT_MEMORY_LEASE_SECONDS": "900",
        }
        with ServerProcess(folder, **settings) as server:
            connected = server.client()
            connected.ok("CreateMemoryStore", {"memoryStoreName": STORE})
            yield connected


@pytest.mark.parametrize("language", TALKS)
def test_model_finds_facts_that_their_messages_hold(client, language):
    """The task took the model's path and says what it cost; a fact is stored, and none that nobody said."""
    talk = TALKS[language]
    request = client.add(talk, run=language)
    wait_until(lambda: "finishedAt" in client.task(request), ANSWER_STEPS)

    task = client.task(request)
    assert (task["status"], task["path"]) == ("completed", "llm"), task
    assert task["llmCalls"] in (1, 2)
    assert task["inputTokens"] > 0
    facts = _facts(client, language)
    assert facts
    assert [fact for fact in facts if UNSAID[language] in fact.casefold()] == []
    said = normalised("\n".join(each["content"] for each in talk if each["role"] == "user"))
    assert [fact for fact in facts if _share(fact, said) < 0.5] == []


def _facts(client: Client, run: str) -> list[str]:
    """The texts of what is stored and no episode, without the time and the speaker before them."""
    scope = {"appId": "shop", "tenantId": "t1", "agentId": "a1", "runId": run}
    units = client.ok("ListMemories", {"memoryStoreName": STORE, "scope": scope})["memories"]
    return [HEAD.sub("", unit["text"]) for unit in units if unit["unit_type"] != "episode"]


def _share(text: str, said: str) -> float:
    """The share of the text's words, or in Chinese of any two characters in a row, that the user said."""
    folded = "".join(character if character.isalnum() else " " for character in normalised(text))
    words = folded.split()
    pairs = [word[start : start + 2] for word in words for start in range(max(1, len(word) - 1))]
    pieces = words if text.isascii() else pairs
    return sum(piece in said for piece in pieces) / len(pieces)
