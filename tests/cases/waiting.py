"""The one table of cases that are not run yet, each with its reason; `A19:asOf` names one expected key of a case."""

from __future__ import annotations

MODEL = "needs a language model: extraction issue"
JUDGE = "needs the judge of contradictions: settlement issue"
RETRIEVAL = "retrieval issue"
DREAM = "needs Dream: consolidation issue"
SESSION = "needs the session memory: session issue"
SECURITY = "needs redaction and fencing: security issue"

WAITS = {
    "A03": MODEL,
    "A04": MODEL,
    "A06": MODEL,
    "A07": MODEL,
    "A09": MODEL,
    "A14": JUDGE,
    "A15": JUDGE,
    "A17": JUDGE,
    "A19:asOf": RETRIEVAL,
    "A28": MODEL,
    "A47": DREAM,
    "A49": SESSION,
    "A50": "needs quotas: growth issue",
    "A55": SECURITY,
    "A56": SECURITY,
    "A58": SESSION,
}
