"""Jobs as queue text."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.jobs import QUEUE_OF_KIND, decode, encode
from agent_memory.ports import Job, JobKind

TEXT = st.text(max_size=20)
JOBS = st.builds(
    Job, st.sampled_from(get_args(JobKind)), TEXT, TEXT, st.dictionaries(TEXT, TEXT | st.integers() | st.lists(TEXT))
)
WRITTEN = {"version": 1, "kind": "extract", "jobId": "j1", "group": "g1", "payload": {"store": "商店"}}


@settings(deadline=None)
@given(JOBS)
def test_a_job_is_read_back_as_it_was(job: Job) -> None:
    """Chinese payloads and odd group names too."""
    assert decode(encode(job)) == job


def test_the_text_of_version_one() -> None:
    """Texts that wait in a queue while the service is updated look like this."""
    job = Job("extract", "j1", "g1", {"store": "商店"})
    assert json.loads(encode(job)) == WRITTEN
    assert decode(json.dumps({**WRITTEN, "later": 1})) == job


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"version": 0},
        {"version": "1"},
        {"version": None},
        {"kind": "dream"},
        {"kind": ""},
        {"kind": []},
    ],
)
def test_another_version_or_kind_is_a_value_error(change: dict[str, Any]) -> None:
    """A job that this version does not know is not guessed at."""
    with pytest.raises(ValueError, match="not a job of this version"):
        decode(json.dumps({**WRITTEN, **change}))


@pytest.mark.parametrize(
    "body", ["", "x", "[]", "null", "1", '"extract"', "{}", '{"version":1}', "{'version':1}", "\ud800"]
)
def test_what_is_no_job_is_a_value_error(body: str) -> None:
    """Any text that is not an object of ours."""
    with pytest.raises(ValueError, match=r"."):
        decode(body)


@pytest.mark.parametrize("missing", ["jobId", "group", "payload"])
def test_a_job_without_one_of_its_fields_is_a_value_error(missing: str) -> None:
    """As for any other text that this version did not write."""
    with pytest.raises(ValueError, match=r"."):
        decode(json.dumps({name: value for name, value in WRITTEN.items() if name != missing}))


def test_a_deeply_nested_text_is_a_value_error() -> None:
    """A hundred thousand brackets."""
    with pytest.raises(ValueError, match=r"."):
        decode("[" * 100_000)


def test_every_kind_of_job_has_a_queue() -> None:
    """A kind without one could not be sent."""
    assert set(QUEUE_OF_KIND) == set(get_args(JobKind))
    assert set(QUEUE_OF_KIND.values()) == {"extraction", "maintenance", "index"}
