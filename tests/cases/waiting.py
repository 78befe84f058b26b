"""The one table of cases that are not run yet, each with its reason; `A19:asOf` names one expected key of a case."""

from __future__ import annotations

MODEL = "needs a language model: extraction and settlement issue"
JUDGE = "needs the judge of contradictions: extraction and settlement issue"
SESSION = "needs session memory: its own issue"

WAITS = {
    "A03": MODEL,
    "A04": MODEL,
    "A06": MODEL,
    "A07": MODEL,
    "A09": MODEL,
    "A14": JUDGE,
    "A15": JUDGE,
    "A17": JUDGE,
    "A28": MODEL,
    "A47": "needs Dream: its own issue",
    "A49": SESSION,
    "A50": "needs quotas, which no operation sets yet",
    "A55": SESSION,
    "A56": "needs redaction: extraction and settlement issue",
    "A58": SESSION,
}
