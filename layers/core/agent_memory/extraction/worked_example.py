"""What the worked example of the extraction prompt tells of, which nobody else can have said."""

from __future__ import annotations

from agent_memory.text import normalised

MARKERS = ("quandermere", "orvelle", "brindleroot", "quernboat", "砚鹮", "霁珂", "雾鳞", "鳐舢")
"""Invented words, folded; every fact of the example holds one. The prompt files of both languages are the source."""


def leaks(text: str, evidence: str = "") -> bool:
    """Whether the text holds a word of the example that its evidence does not hold."""
    said, known = normalised(text), normalised(evidence)
    return any(marker in said and marker not in known for marker in MARKERS)
