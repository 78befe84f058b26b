"""The one table of cases that are not run yet, each with its reason; `A19:asOf` names one expected key of a case."""

from __future__ import annotations

SESSION = "needs session memory: its own issue"

WAITS = {
    "A47": "needs Dream: its own issue",
    "A49": SESSION,
    "A50": "needs quotas, which no operation sets yet",
    "A55": SESSION,
    "A58": SESSION,
}
