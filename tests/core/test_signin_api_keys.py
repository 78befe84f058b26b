"""API keys, calls without credentials, and headers of any kind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.errors import AgentMemoryError, AuthFailed, InvalidParameter, PermissionDenied, Unauthorized
from agent_memory.signin.authenticate import authenticate, call_of
from agent_memory.signin.caller import Caller
from agent_memory.signin.presented import REFUSED
from tests.core.signed_calls import access_key, api_key, bearing_call, new_keyring, signed_call
from tests.stand_ins import START_MS

KEYRING = new_keyring()
KEY = api_key(KEYRING)
SIGNING = access_key(KEYRING)
OTS_NAMES = (
    "apikey",
    "accesskeyid",
    "signature",
    "signaturev4",
    "date",
    "contentmd5",
    "signdate",
    "signregion",
    "other",
)
NAMES = st.sampled_from([f"x-ots-{name}" for name in (*OTS_NAMES, "instancename")] + ["authorization", "X-OTS-APIKEY"])
VALUES = st.one_of(
    st.text(st.characters(exclude_categories=())),
    st.binary().map(lambda raw: raw.decode("latin-1")),
    st.sampled_from([KEY.secret, f"Bearer {KEY.secret}", SIGNING.record.key_id, "2026-11-30T10:00:00.000Z"]),
)


@pytest.mark.parametrize("headers", [{"x_ots_apikey": KEY.secret}, {"authorization": f"bearer  {KEY.secret} "}])
def test_an_api_key_is_taken_from_both_headers(headers):
    """Instance and id are the key's; its answers are not signed."""
    caller = authenticate(bearing_call(**headers), KEYRING, required=True)
    assert (caller.instance, caller.key_id) == ("shop", KEY.record.key_id)
    assert caller.sign({"a": "b"}, "SearchMemories", b"", START_MS) == {"a": "b"}


def test_the_secret_is_not_in_the_record_and_starts_with_its_id():
    """What is stored does not sign in."""
    stored = str(KEYRING.find(KEY.record.key_id).to_json())
    assert KEY.secret.startswith(f"amk_{KEY.record.key_id}_")
    assert KEY.secret.rpartition("_")[2] not in stored
    assert KEY.secret not in repr(KEY)


@given(st.text(max_size=60))
def test_a_changed_api_key_is_refused(text):
    """In the same words, whether the id exists or not."""
    for secret in (
        KEY.secret + text,
        KEY.secret[:-1] + text,
        f"amk_{text}_{KEY.secret[-43:]}",
        f"amk_{KEY.record.key_id}_{text}",
    ):
        if secret.strip() != KEY.secret:
            with pytest.raises(AuthFailed, match=REFUSED[:30]):
                authenticate(bearing_call(x_ots_apikey=secret), KEYRING, required=False)


@pytest.mark.parametrize(
    "text", ["amk_", "amk_a_b", "amk_%2F_" + "a" * 43, "amk_" + "a" * 10_000, "'; --", "amk_AB_C_" * 9]
)
def test_text_that_is_no_key_costs_no_read(text):
    """Its form is checked first."""
    keyring = new_keyring()
    with pytest.raises(AuthFailed):
        authenticate(bearing_call(x_ots_apikey=text), keyring, required=False)
    assert keyring.table.reads == 0


def test_an_access_key_does_not_work_as_an_api_key():
    """Ids of one kind are unknown to the other."""
    forged = f"amk_{SIGNING.record.key_id}_{SIGNING.secret}"
    with pytest.raises(AuthFailed, match=REFUSED[:30]):
        authenticate(bearing_call(x_ots_apikey=forged), KEYRING, required=False)


def test_a_disabled_or_expired_api_key_is_refused():
    """With the next call."""
    keyring = new_keyring()
    brief, key = api_key(keyring, expires_ms=START_MS), api_key(keyring)
    keyring.disable(key.record.key_id)
    for each, state in ((brief, "expired"), (key, "disabled")):
        with pytest.raises(AuthFailed, match=state):
            authenticate(bearing_call(x_ots_apikey=each.secret), keyring, required=False)


def test_an_api_key_is_for_its_instance_only():
    """Named or not."""
    with pytest.raises(PermissionDenied):
        authenticate(bearing_call(x_ots_apikey=KEY.secret, x_ots_instancename="other"), KEYRING, required=True)


def test_without_credentials_anybody_calls_where_none_are_required():
    """On the instance named, else on `default`, with all rights and no read."""
    keyring = new_keyring()
    assert authenticate(bearing_call(), keyring, required=False) == Caller("default")
    assert authenticate(bearing_call(x_ots_instancename="店"), keyring, required=False) == Caller("店")
    assert authenticate(bearing_call(authorization="Basic eDp5"), keyring, required=False) == Caller("default")
    assert authenticate(bearing_call(x_ots_apikey="  "), keyring, required=False) == Caller("default")
    assert keyring.table.reads == 0


def test_without_credentials_nobody_calls_where_they_are_required():
    """401 and what to do."""
    with pytest.raises(Unauthorized, match="x-ots-apikey"):
        authenticate(bearing_call(), KEYRING, required=True)


def test_a_signature_counts_before_an_api_key():
    """A wrong signature is not saved by a good API key."""
    call = signed_call(replace(SIGNING, secret="x"), x_ots_apikey=KEY.secret)
    with pytest.raises(AuthFailed):
        authenticate(call, KEYRING, required=False)


@pytest.mark.parametrize("name", ["x" * 65, "a\x00b", "a\nb"])
def test_an_instance_that_is_no_name_is_invalid(name):
    """As before there were keys."""
    with pytest.raises(InvalidParameter, match="x-ots-instancename"):
        authenticate(bearing_call(x_ots_instancename=name), KEYRING, required=False)


@given(st.dictionaries(NAMES, VALUES, max_size=8), st.binary(max_size=20), st.booleans())
def test_any_headers_give_a_caller_or_a_named_error(headers, body, required):
    """Nothing that a client can send makes the sign-in fail in another way."""
    call = call_of("SearchMemories", headers, body, START_MS)
    try:
        caller = authenticate(call, KEYRING, required=required)
    except AgentMemoryError:
        return
    assert caller.key_id in ("", KEY.record.key_id)
    assert caller.key_id or not required
