"""Signatures against the official clients: captured requests, and random headers through their own code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.signin.signatures import (
    V2_SIGNATURE,
    V4_SIGNATURE,
    content_md5,
    header_lines,
    request_text,
    response_signature,
    same,
    v2_key,
    v2_signature,
    v4_key,
    v4_signature,
)

VECTORS = json.loads(Path(__file__).with_name("signature_vectors.json").read_text("utf-8"))
SECRET = VECTORS["secret"]
# What an HTTP header can carry: ISO 8859-1 without control characters.
VALUES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_categories=("Cc",)), max_size=30)
NAMES = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", max_size=12)
HEADERS = st.dictionaries(NAMES.map("x-ots-".__add__) | NAMES, VALUES, max_size=8).filter(
    lambda headers: not {V2_SIGNATURE, V4_SIGNATURE, "x-ots-signdate", "x-ots-signregion"} & headers.keys()
)


def name_of(vector: Any) -> str:
    return f"{vector['client']} {vector['version']} {vector['path']}"


@pytest.mark.parametrize("vector", VECTORS["requests"], ids=name_of)
def test_a_captured_request_has_our_signature(vector):
    """Each client's own signature, byte for byte, with base path, extra headers and Chinese in the body."""
    headers, operation = vector["headers"], vector["path"].rpartition("/")[2]
    if vector["version"] == "v2":
        assert v2_signature(v2_key(SECRET), operation, headers) == headers[V2_SIGNATURE]
    else:
        key = v4_key(SECRET, headers["x-ots-signdate"], headers["x-ots-signregion"])
        assert v4_signature(key, operation, headers) == headers[V4_SIGNATURE]
    assert content_md5(vector["body"].encode()) == headers["x-ots-contentmd5"]


@pytest.mark.parametrize("vector", VECTORS["responses"], ids=lambda vector: vector["version"])
def test_an_answer_has_the_signature_that_clients_compute(vector):
    """SHA-1 in both versions; the key of version 4 is the request's."""
    key = v4_key(SECRET, vector["signDate"], vector["region"]) if vector["region"] else v2_key(SECRET)
    assert response_signature(key, vector["operation"], vector["headers"]) == vector["signature"]


def test_the_vectors_are_of_every_client_and_version():
    """So that none is forgotten when they are captured again."""
    assert {(vector["client"], vector["version"]) for vector in VECTORS["requests"]} == {
        ("tablestore", "v2"),
        ("tablestore", "v4"),
        ("tablestore-agent-storage", "v2"),
        ("tablestore-agent-storage", "v4"),
        ("@tablestore/agent-storage", "v2"),
        ("@tablestore/agent-storage", "v4"),
        ("npm tablestore", "v2"),
    }


@given(HEADERS, st.text("abcXYZ019", min_size=1, max_size=40), st.text(min_size=1, max_size=12))
def test_random_headers_sign_as_in_the_official_client(headers, secret, region):
    """Version 2 and 4 of requests and answers against `tablestore.auth`."""
    from tablestore.auth import RequestContext, SignV2, SignV4
    from tablestore.credentials import Credentials

    context = RequestContext(Credentials("AMxxxx", secret))
    theirs = {2: dict(headers), 4: dict(headers)}
    v2, v4 = SignV2("utf-8"), SignV4("utf-8", region=region, sign_date="20261130")
    v2.make_request_signature_and_add_headers("/GetMemory", theirs[2], context)
    v4.make_request_signature_and_add_headers("/GetMemory", theirs[4], context)
    keys = v2_key(secret), v4_key(secret, "20261130", region)
    assert v2_signature(keys[0], "GetMemory", theirs[2]) == theirs[2][V2_SIGNATURE]
    assert v4_signature(keys[1], "GetMemory", theirs[4]) == theirs[4][V4_SIGNATURE]
    for key, signer in zip(keys, (v2, v4), strict=True):
        assert response_signature(key, "GetMemory", headers) == signer.make_response_signature(
            "/GetMemory", headers, signer.get_signing_key(context)
        )


def test_only_ots_headers_count_trimmed_sorted_and_in_lower_case():
    """As whole lines; the signature itself is left out."""
    headers = {"X-OTS-B": " 2 ", "x-ots-a": "1", "content-type": "x", "X-OTS-Signature": "s", "x-otsx": "no"}
    assert header_lines(headers, "x-ots-signature") == "x-ots-a:1\nx-ots-b:2"
    assert request_text("AddMemories", {}, "") == "/AddMemories\nPOST\n\n\n"


def test_both_signatures_in_one_request_leave_the_other_in_the_text():
    """Nobody can add or strip a second signature on the way."""
    assert "x-ots-signature:forged" in request_text("GetMemory", {"x-ots-signature": "forged"}, V4_SIGNATURE)


@given(st.text(), st.text())
def test_the_compare_takes_any_text(left, right):
    """Lone surrogates and non-ASCII text are compared, not raised."""
    assert same(left, left)
    assert same(left, right) == (left == right)
    assert same("\ud800", "\ud800")
