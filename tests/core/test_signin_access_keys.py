"""Requests signed with an access key: accepted as the official client signs them, refused after any change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.errors import AgentMemoryError, AuthFailed, PermissionDenied
from agent_memory.signin.authenticate import authenticate
from agent_memory.signin.presented import MAX_SKEW_MS, REFUSED
from agent_memory.signin.signatures import content_md5
from agent_memory.times import format_ms
from tests.core.signed_calls import access_key, api_key, new_keyring, signed_call
from tests.stand_ins import START_MS

KEYRING = new_keyring()
KEY = access_key(KEYRING, note="测试")
REGIONS = pytest.mark.parametrize("region", ["", "cn-beijing"], ids=["v2", "v4"])


def refused(call, keyring=KEYRING) -> str:
    """The message of the refusal."""
    with pytest.raises(AuthFailed) as caught:
        authenticate(call, keyring, required=False)
    return caught.value.message


@REGIONS
def test_a_signed_request_has_its_key_as_caller(region):
    """Instance, id and limits are the key's."""
    caller = authenticate(signed_call(KEY, region=region), KEYRING, required=True)
    assert (caller.instance, caller.key_id, caller.limits) == ("shop", KEY.record.key_id, KEY.record.limits)


@REGIONS
def test_a_replay_inside_the_window_is_accepted(region):
    """Writes are idempotent, so that the same request twice does no harm."""
    call = signed_call(KEY, region=region)
    first = authenticate(call, KEYRING, required=True)
    assert authenticate(replace(call, now_ms=call.now_ms + MAX_SKEW_MS), KEYRING, required=True) == first


@pytest.mark.parametrize("off_ms", [-MAX_SKEW_MS, MAX_SKEW_MS])
def test_fifteen_minutes_are_accepted_and_a_millisecond_more_is_not(off_ms):
    """Either way; the refusal tells the server's time."""
    authenticate(signed_call(KEY, now_ms=START_MS + off_ms), KEYRING, required=True)
    late = signed_call(KEY, now_ms=START_MS + off_ms + (1 if off_ms > 0 else -1))
    assert "set the clock" in refused(late)


@REGIONS
@given(st.data())
def test_any_change_is_refused(region, data):
    """Of the body, the path, a signed header, its name, or an added one."""
    call = signed_call(KEY, region=region, x_ots_trace="跟踪".encode().decode("latin-1"))
    signed = sorted(name for name in call.headers if name.startswith("x-ots-"))
    kind = data.draw(st.sampled_from(["body", "operation", "header", "removed", "added"]))
    if kind == "body":
        changed = replace(call, body=data.draw(st.binary()))
    elif kind == "operation":
        changed = replace(call, operation=data.draw(st.sampled_from(["AddMemories", "prod/SearchMemories", ""])))
    elif kind == "added":
        changed = replace(call, headers={**call.headers, "x-ots-" + data.draw(st.text("abc", min_size=1)): ""})
    else:
        name = data.draw(st.sampled_from(signed))
        left = {each: value for each, value in call.headers.items() if each != name}
        value = data.draw(st.text(max_size=40).filter(lambda text: text.strip() != call.headers[name].strip()))
        changed = replace(call, headers=left if kind == "removed" else {**left, name: value})
    if changed != call:
        with pytest.raises(AgentMemoryError) as caught:
            authenticate(changed, KEYRING, required=False)
        assert caught.value.code in {"OTSAuthFailed", "INVALID_PARAMETER"}


def test_another_secret_and_an_unknown_key_read_alike():
    """Nobody learns which ids exist; an API key's id is no access key either."""
    other = replace(KEY, secret=KEY.secret[::-1])
    unknown = replace(KEY, record=KEY.record.model_copy(update={"key_id": "AMunknown"}))
    bearing = api_key(KEYRING)
    assert {refused(signed_call(key)) for key in (other, unknown, bearing)} == {REFUSED}


@pytest.mark.parametrize(
    "key_id", ["AM%2F%2E%2E", "AM' OR '1'='1", '"', "AM" * 5_000, "键", "AM\x00", "a/b", "", "\ud800"]
)
def test_hostile_ids_are_refused_before_the_table_is_asked(key_id):
    """Only what may be an id is looked up."""
    keyring = new_keyring()
    call = signed_call(access_key(keyring))
    changed = replace(call, headers={**call.headers, "x-ots-accesskeyid": key_id})
    assert refused(changed, keyring) == REFUSED
    assert keyring.table.reads == 0


def test_stale_or_changed_requests_cost_no_read():
    """Date and body are checked first."""
    keyring = new_keyring()
    key = access_key(keyring)
    assert "15 minutes" in refused(signed_call(key, now_ms=START_MS + 10**9), keyring)
    assert "MD5" in refused(replace(signed_call(key), body=b"{}"), keyring)
    assert (keyring.table.reads, keyring.box().opened) == (0, 0)


def test_a_right_request_costs_one_read():
    """The key's record, each time."""
    keyring = new_keyring()
    authenticate(signed_call(access_key(keyring)), keyring, required=True)
    assert (keyring.table.reads, keyring.box().opened) == (1, 1)


def test_a_disabled_or_expired_key_is_refused_at_once_and_told_only_to_its_owner():
    """The state of the key is not shown to who does not hold the secret."""
    keyring = new_keyring()
    brief, key = access_key(keyring, expires_ms=START_MS + 1_000), access_key(keyring)
    authenticate(signed_call(brief, now_ms=START_MS + 999), keyring, required=True)
    assert "is expired" in refused(signed_call(brief, now_ms=START_MS + 1_000), keyring)
    call = signed_call(key)
    authenticate(call, keyring, required=True)
    keyring.disable(key.record.key_id)
    assert "is disabled" in refused(call, keyring)
    assert refused(signed_call(replace(key, secret="x")), keyring) == REFUSED


def test_a_key_is_for_its_instance_only():
    """Another one in a good signature is no permission; none at all means the key's own."""
    with pytest.raises(PermissionDenied, match="x-ots-instancename"):
        authenticate(signed_call(KEY, x_ots_instancename="default"), KEYRING, required=True)
    assert authenticate(signed_call(KEY, x_ots_instancename=""), KEYRING, required=True).instance == "shop"


@pytest.mark.parametrize(
    "date", ["", "yesterday", "Mon, 30 Nov 2026 10:00:00 GMT", "2026-02-30T10:00:00Z", "9" * 10_000]
)
def test_a_date_that_is_none_is_refused(date):
    """With the form that it must have."""
    assert "x-ots-date must be" in refused(signed_call(KEY, x_ots_date=date))


def test_a_line_break_in_a_header_is_refused():
    """One header with a break in its value would be signed like two headers."""
    two = signed_call(KEY, x_ots_a="1", x_ots_b="2")
    joined = {name: value for name, value in two.headers.items() if name not in ("x-ots-a", "x-ots-b")}
    assert "line breaks" in refused(replace(two, headers={**joined, "x-ots-a": "1\nx-ots-b:2"}))


@REGIONS
def test_the_answer_is_signed_as_the_client_checks_it(region):
    """With the key of the request, over all x-ots headers, in the official client's own words."""
    from tablestore.auth import RequestContext, SignV2, SignV4
    from tablestore.credentials import Credentials

    caller = authenticate(signed_call(KEY, region=region), KEYRING, required=True)
    body = '{"text":"虾"}'.encode()
    headers = caller.sign(
        {"content-type": "application/json", "x-ots-requestid": "r"}, "SearchMemories", body, START_MS
    )
    signer = SignV4("utf-8", region=region, sign_date="20261130") if region else SignV2("utf-8")
    key = signer.get_signing_key(RequestContext(Credentials(KEY.record.key_id, KEY.secret), "20261130"))
    expected = signer.make_response_signature("/SearchMemories", headers, key)
    assert headers["authorization"] == f"OTS {KEY.record.key_id}:{expected}"
    assert headers["x-ots-date"] == format_ms(START_MS)
    assert headers["x-ots-contenttype"] == "application/json"
    assert headers["x-ots-contentmd5"] == content_md5(body)


def test_no_secret_is_shown_when_values_are_printed():
    """They may end up in a log or a traceback."""
    caller = authenticate(signed_call(KEY), KEYRING, required=True)
    assert KEY.secret not in repr(KEY) + repr(caller) + str(KEYRING.find(KEY.record.key_id).to_json())
