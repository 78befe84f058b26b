"""Keys and tokens that are known by how they begin: the prefixes that their makers publish, for scanners such as this.

Sources: GitHub "Supported secret scanning patterns", the rules of gitleaks, and the makers' own documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.redaction.randomness import looks_random, looks_unspoken
from agent_memory.redaction.secret import Secret

_HERE = r"(?<![A-Za-z0-9])"
_KEYS = (
    r"sk-[A-Za-z0-9_-]{16,}",  # OpenAI, Anthropic, DeepSeek, DashScope, OpenRouter
    r"(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}",  # Stripe
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",  # AWS
    r"LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])|AKID[A-Za-z0-9]{28,40}(?![A-Za-z0-9])|AKLT[A-Za-z0-9]{30,60}",
    r"AIza[A-Za-z0-9_-]{30,}|GOCSPX-[A-Za-z0-9_-]{20,}",  # Google
    (
        r"(?:gsk|fw|csk|pplx|nvapi|tvly|xai|sbp|lsv2_pt|lsv2_sk|jina|voyage|pa|r8|fc|e2b|phc|phx|rnd|apify_api"
        r"|ollama)[_-](?=[A-Za-z0-9_-]{0,40}\d)[A-Za-z0-9_-]{24,}"
    ),
    (
        r"key-[0-9a-f]{32}(?![A-Za-z0-9])|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"
        r"|SK[0-9a-f]{32}(?![A-Za-z0-9])"
    ),  # mail, Twilio
    (
        r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}|sq0[a-z]{3}-[A-Za-z0-9_-]{20,}|PMAK-[A-Za-z0-9-]{30,}"
        r"|NRAK-[A-Z0-9]{20,}|rzp_(?:live|test)_[A-Za-z0-9]{14,}"
    ),
    r"amk_[A-Za-z0-9]{4,64}_[A-Za-z0-9]{32,}",  # this service
)
_TOKENS = (
    r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}",
    r"gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent)-[A-Za-z0-9_.-]{16,}",
    r"xox[abeoprs]-(?:[A-Za-z0-9-]{10,})|xapp-\d-[A-Za-z0-9-]{10,}|xoxe\.xox[bp]-[A-Za-z0-9-]{10,}",
    (
        r"hf_[A-Za-z0-9]{20,}|api_org_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}"
        r"|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"
    ),
    r"ya29\.[A-Za-z0-9_-]{20,}|1//0[A-Za-z0-9_-]{30,}|EAA[A-Za-z0-9]{60,}",
    (
        r"do[opr]_v1_[a-f0-9]{40,}|hvs\.[A-Za-z0-9_-]{20,}|hvb\.[A-Za-z0-9_-]{20,}|dp\.(?:pt|st|ct"
        r"|sa)\.[A-Za-z0-9_.-]{20,}|tskey-[a-z]{3,10}-[A-Za-z0-9-]{10,}"
    ),
    (
        r"(?:secret|ntn)_[A-Za-z0-9]{40,}|fig[dru]_[A-Za-z0-9_-]{30,}|lin_(?:api|oauth)_[A-Za-z0-9]{30,}"
        r"|dapi[a-f0-9]{32}(?:-\d)?|ATATT3[A-Za-z0-9_=-]{40,}"
        r"|sntry[su]_[A-Za-z0-9_=+/-]{30,}|glsa_[A-Za-z0-9_]{30,}|rubygems_[a-f0-9]{40,}|pul-[a-f0-9]{40}"
        r"|CFPAT-[A-Za-z0-9_-]{30,}|ops_eyJ[A-Za-z0-9_-]{40,}"
    ),
    r"\d{8,10}:AA[A-Za-z0-9_-]{30,}|[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
    r"(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}",  # JWT
    r"AGE-SECRET-KEY-1[A-Z0-9]{40,}",
)
_KEY = re.compile(_HERE + f"(?:{'|'.join(_KEYS)})", re.ASCII)
_TOKEN = re.compile(_HERE + f"(?:{'|'.join(_TOKENS)})", re.ASCII)
_HEADER = re.compile(
    r"\b(?:bearer\s{1,3}(?P<bearer>[A-Za-z0-9._~+/-]{16,}={0,2})"
    r"|authorization[\"']?\s?[:=]\s?[\"']?(?:basic|token|apikey|digest)\s(?P<basic>[A-Za-z0-9._~+/=:-]{8,}))",
    re.IGNORECASE,
)
_BROKEN = re.compile(r"[ \t]?\n[ \t]*([A-Za-z0-9_+/=-]{12,})(?![A-Za-z0-9])")
_CUT_PREFIX = re.compile(
    _HERE + r"(?:sk-(?:ant-|proj-|or-|test-|svcacct-)?|ghp_|gho_|github_pat_|glpat-|xoxb-|xoxp-|AKIA|LTAI|AIza|hf_"
    r"|sk_live_|sk_test_)"
    r"[A-Za-z0-9_-]{0,40}[ \t]?\n[ \t]*[A-Za-z0-9_-]{8,}"
)
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re.compile(r"(?:[A-Za-z0-9+/=:,.]|-(?!-)|\\n|\\r|\s)*")
_LINE = re.compile(r"(?:\s|\\[nr])*([A-Za-z0-9+/=]+)")
_ID_OF_A_PAIR = re.compile(r"(?:AKIA|ASIA|LTAI|AKID|AKLT)[A-Za-z0-9]{12,}")
_OTHER_HALF = re.compile(r"(?<![A-Za-z0-9/+_=.-])[A-Za-z0-9/+]{30,44}={0,2}(?![A-Za-z0-9/+_=-])")
NEAR = 160


def known_forms(text: str) -> Iterator[Secret]:
    """API keys, tokens, private keys, and the secret beside the id of a key pair."""
    for pattern, kind in ((_KEY, "api_key"), (_TOKEN, "token")):
        for found in pattern.finditer(text):
            if looks_unspoken(found[0]):
                yield Secret(found.start(), _with_broken_lines(text, found.end()), kind)
    for found in _CUT_PREFIX.finditer(text):
        joined = re.sub(r"\s+", "", found[0])
        known = _KEY.fullmatch(joined) or _TOKEN.fullmatch(joined)
        if known and looks_unspoken(joined) and re.search(r"[\dA-Z]", joined[4:]):
            yield Secret(found.start(), _with_broken_lines(text, found.end()), "api_key")
    for found in _HEADER.finditer(text):
        name = "bearer" if found["bearer"] else "basic"
        if name == "basic" or looks_random(found[name]):
            yield Secret(*found.span(name), "token")
    yield from _private_keys(text)
    yield from _pairs(text)


def _with_broken_lines(text: str, end: int) -> int:
    """A long key may be wrapped: what looks as random goes with it."""
    while more := _BROKEN.match(text, end):
        if not looks_random(more[1]):
            break
        end = more.end()
    return end


def _private_keys(text: str) -> Iterator[Secret]:
    """From BEGIN to END; a key without an end goes as far as its letters do."""
    at = 0
    endings = [each.span() for each in _END.finditer(text)]
    while begun := _BEGIN.search(text, at):
        body = _BODY.match(text, begun.end())
        reach = (body.end() if body else begun.end()) + NEAR
        endings = [each for each in endings if each[0] >= begun.end()]
        at = endings[0][1] if endings and endings[0][0] <= reach else _end_of_letters(text, begun.end())
        yield Secret(begun.start(), at, "private_key")


def _end_of_letters(text: str, end: int) -> int:
    """Behind the last line that nobody would write by hand."""
    least = 20
    while (line := _LINE.match(text, end)) and (len(line[1]) >= least or "=" in line[1] or looks_random(line[1])):
        end = line.end()
    return end


def _pairs(text: str) -> Iterator[Secret]:
    for found in _ID_OF_A_PAIR.finditer(text):
        low = max(0, found.start() - NEAR)
        for other in _OTHER_HALF.finditer(text, low, found.end() + NEAR):
            if looks_random(other[0]) and not (other.start() <= found.start() < other.end()):
                yield Secret(*other.span(), "api_key")
