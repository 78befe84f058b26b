"""Conversations with labelled questions in the LoCoMo format, and how one is sent to the service.

LoCoMo (snap-research/LoCoMo) is CC BY-NC 4.0, so no part of it lies here: the path comes from the caller.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ADD = 20  # messages of one AddMemories
ADD_BYTES = 32_000


@dataclass(frozen=True)
class Question:
    """A question and the messageIds of the turns that answer it."""

    text: str
    evidence: tuple[str, ...]
    category: int


@dataclass(frozen=True)
class Conversation:
    """One tenant: sessions by runId, each a list of messages as AddMemories takes them, and questions."""

    name: str
    sessions: dict[str, list[dict[str, Any]]]
    questions: tuple[Question, ...]

    def batches(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """(runId, messages of one add), in order."""
        for run, messages in self.sessions.items():
            for start in range(0, len(messages), ADD):
                yield run, messages[start : start + ADD]


def read_conversations(path: Path) -> list[Conversation]:
    """All conversations of a file; see the data's own README for the shape."""
    return [_conversation(sample) for sample in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(sample: dict[str, Any]) -> Conversation:
    talk = sample["conversation"]
    names = sorted((key for key in talk if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:]))
    sessions = {name: [_message(turn, talk, name) for turn in talk[name]] for name in names}
    questions = tuple(Question(each["question"], tuple(each["evidence"]), each["category"]) for each in sample["qa"])
    return Conversation(sample["sample_id"], sessions, questions)


def _message(turn: dict[str, Any], talk: dict[str, Any], session: str) -> dict[str, Any]:
    caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return {
        "role": "user" if turn["speaker"] == talk["speaker_a"] else "assistant",
        "speaker": turn["speaker"],
        "content": turn["text"] + caption,
        "messageId": turn["dia_id"],
        "timestamp": _instant(talk[f"{session}_date_time"]),
    }


def _instant(text: str) -> str:
    """`1:56 pm on 8 May, 2023`, or an ISO time, as RFC 3339."""
    try:
        said = datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        said = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return said.strftime("%Y-%m-%dT%H:%M:%SZ")
