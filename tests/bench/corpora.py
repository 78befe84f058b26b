"""What is added and asked: the conversations of a file, or our own memories across languages, each a tenant."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from agent_memory.languages import language_of
from tests.bench.labels import Labelled, Labels, labels
from tests.clients.conversations import Conversation, Question, read_conversations

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ACROSS = Path(__file__).with_name("data") / "zh_en_memories.jsonl"
DIRECTIONS = {1: "zh question, en memory", 2: "en question, zh memory"}
_FIRST_DAY = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Corpus:
    """All of one file. `name` is the appId, the name of a conversation is the tenantId."""

    name: str
    categories: Mapping[int, str]
    conversations: tuple[Conversation, ...]

    @cached_property
    def session_of(self) -> dict[str, dict[str, str]]:
        """By conversation: the session of each turn."""
        return {talk.name: _session_of(talk) for talk in self.conversations}

    @cached_property
    def labels(self) -> dict[str, Labels]:
        """By conversation: its questions."""
        return {talk.name: labels(talk.questions, self.session_of[talk.name]) for talk in self.conversations}

    @property
    def questions(self) -> list[tuple[str, Labelled]]:
        """(conversation, question), in the order of the file."""
        return [(name, question) for name, each in self.labels.items() for question in each.questions]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """All turns in order."""
        return [each for talk in self.conversations for run in talk.sessions.values() for each in run]

    @property
    def languages(self) -> str:
        """The languages of most questions and of most turns, such as `zh`, or `zh, en` where they differ."""
        asked = (question.text for _, question in self.questions)
        said = (message["content"] for message in self.messages)
        return ", ".join(dict.fromkeys(_most(map(language_of, texts)) for texts in (asked, said)))

    @property
    def digest(self) -> str:
        """Changes with anything that is added."""
        added = [[talk.name, talk.sessions] for talk in self.conversations]
        return sha256(json.dumps(added, sort_keys=True).encode()).hexdigest()


def read_corpus(path: Path, limit: int | None) -> Corpus:
    """The first `limit` conversations of a file in the LoCoMo format, or all."""
    return Corpus(path.stem, CATEGORIES, tuple(read_conversations(path)[:limit]))


def across_languages(path: Path = ACROSS) -> Corpus:
    """One tenant with all memories of the file, each said in a conversation of its own on a day of its own."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    sessions = {row["id"]: [_said(row, day)] for day, row in enumerate(rows)}
    asked = tuple(Question(row["question"], (row["id"],), _direction(row["id"])) for row in rows)
    return Corpus(path.stem, DIRECTIONS, (Conversation("everyone", sessions, asked),))


def _said(row: Mapping[str, str], day: int) -> dict[str, Any]:
    moment = (_FIRST_DAY + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"role": "user", "content": row["memory"], "messageId": row["id"], "timestamp": moment}


def _direction(name: str) -> int:
    """Ids begin with the language of the memory."""
    return 1 if name.startswith("en-") else 2


def _session_of(talk: Conversation) -> dict[str, str]:
    return {message["messageId"]: run for run, messages in talk.sessions.items() for message in messages}


def _most(tags: Iterable[str]) -> str:
    return Counter(tags).most_common(1)[0][0]
