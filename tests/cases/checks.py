"""What the keys of `expected` mean. A key that nobody knows is an error, so that no case passes unread."""

from __future__ import annotations

from tests.cases.case_files import NotServed
from tests.cases.checks_of_calls import OF_CALLS
from tests.cases.checks_of_lists import OF_LISTS
from tests.cases.run import OK, Run

CHECKS = {**OF_LISTS, **OF_CALLS}


def check(run: Run) -> None:
    """Hold the run against all that its case expects; AssertionError where it differs."""
    for key, wanted in run.case.expected.items():
        if key not in CHECKS:
            raise NotServed(f"nobody knows what {key!r} expects")
        CHECKS[key](run, wanted)
    for reply in run.replies:
        assert reply.judged or reply.status == OK, reply.short
