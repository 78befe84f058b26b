"""Small inputs that broke other memory systems, and the behaviour that is right: those handed out, and our own."""

from __future__ import annotations

import os
from typing import Any

import pytest

from agent_memory.settings import default_model_dir
from agent_memory.times import parse_rfc3339
from tests.cases.case_files import HANDED, OWN, Case, NotServed, read_cases
from tests.cases.checks import check
from tests.cases.run import Run
from tests.cases.verbs import take
from tests.cases.waiting import WAITS
from tests.stand_ins import WordEmbedder

CASES = [*read_cases(HANDED), *read_cases(OWN)]
KINDS_THAT_MUST_PASS = frozenset(
    {"scope_leak", "deletion", "metadata_filter", "pagination", "idempotency", "async", "unicode", "empty_input"}
)


def waiting_parts(case: Case) -> frozenset[str]:
    """The keys of `expected` that wait while the rest of the case is run."""
    named = (place.partition(":") for place in WAITS)
    return frozenset(part for case_id, _, part in named if case_id == case.id and part)


RUN = [case.without(waiting_parts(case)) for case in CASES if case.id not in WAITS]
WAITING = [case for case in CASES if case.id in WAITS]


@pytest.fixture(scope="module")
def meaning() -> Any:
    """The packaged embedder, one for all: loading takes a moment."""
    folder = default_model_dir()
    if not (folder / "model.onnx").is_file():
        absent(f"the embedding model is not in {folder}: run `make setup`")
    from agent_memory.adapters.e5_embedder import E5Embedder

    return E5Embedder(folder)


def absent(reason: str) -> None:
    """Skip, but not in CI, where everything must be there."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


def play(case: Case, request: pytest.FixtureRequest) -> None:
    """Take the steps of the case on a fresh service, and check what it expects."""
    run = Run.of(case, request.getfixturevalue("meaning") if case.ranks else WordEmbedder())
    if any(step["op"] == "setClock" for step in case.steps):  # the case lives at the time it speaks of
        said = [parse_rfc3339(step["timestamp"]) for step in case.steps if "timestamp" in step]
        run.service.clock.now_ms = min([run.service.clock.now_ms, *said])
    for step in case.steps:
        take(run, step)
    run.wait()
    check(run)


def test_the_handed_cases_are_there() -> None:
    """They are no part of the checkout; AGENT_MEMORY_CASES says where they lie if not beside it."""
    if not read_cases(HANDED):
        absent(f"no cases in {HANDED}: set AGENT_MEMORY_CASES")


@pytest.mark.parametrize("case", RUN, ids=lambda case: f"{case.kind}-{case.id}")
def test_case(case: Case, request: pytest.FixtureRequest) -> None:
    """The service does what the case says is right."""
    play(case, request)


@pytest.mark.parametrize("case", WAITING, ids=lambda case: f"{case.kind}-{case.id}")
def test_a_case_that_waits_does_not_pass_yet(case: Case, request: pytest.FixtureRequest) -> None:
    """Once it does, its entry in the table has to go."""
    with pytest.raises((AssertionError, NotServed)):
        play(case, request)


def test_every_case_is_run_or_waits_for_a_stated_reason() -> None:
    """Never both, never neither; what waits exists, and so do the parts of a case that wait."""
    ids = [case.id for case in CASES]
    assert len(ids) == len(set(ids))
    assert {case.id for case in RUN} ^ {case.id for case in WAITING} == set(ids)
    parts = {f"{case.id}:{key}" for case in CASES for key in case.expected}
    if read_cases(HANDED):
        assert WAITS.keys() <= set(ids) | parts
    assert all(WAITS.values())


def test_the_kinds_that_are_done_wait_for_nothing() -> None:
    """Of the handed cases."""
    assert not [case.id for case in read_cases(HANDED) if case.kind in KINDS_THAT_MUST_PASS and case.id in WAITS]
