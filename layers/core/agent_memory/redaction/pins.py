"""Short numbers that only their name makes secret: PINs, and the code on the back of a card."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.redaction.secret import Secret

_WHOSE = (
    r"\b(?:my|our|your|his|her|their|'s|the|new|old|card|sim|phone|bank|atm|debit|credit|door|gate|alarm|safe"
    r"|login|voicemail|account)['’]?s? "
)
_SAYS = (
    r"\s{0,2}(?:(?:for|to|of|on) [^\n.;:=?!\0]{1,40}? ?)?(?:\b(?:is|was|now|to|will be)\b(?: now| still)?|:|="
    r"|->)[ :=]{0,3}[\"'`(]?"
)
_PIN = re.compile(
    rf"(?:{_WHOSE}(?i:pin)|(?<![A-Za-z])PIN|(?<![A-Za-z])(?i:pin)(?= ?[:=]))(?P<code>[ -]?(?i:code|number"
    rf"|no\.?|码|碼|號|号码|号))?"
    rf"(?:{_SAYS}|\s{{1,2}}|(?:就|还)?(?:是|为|為|:|改成了?|改为了?|设为了?"
    rf"|换成了?)\s{{0,2}})(?P<value>\d{{4,8}})(?![\d.,]?\d)(?!\s?(?:edition|mm|cm|inch|pins?|%|°|年))"
)
_CARD_CODE = re.compile(
    r"(?:(?<![A-Za-z])(?:cvv2?|cvc2?|cid code|card (?:security|verification) (?:code|value)"
    r"|security code)(?![A-Za-z])|安全码|安全碼|验证值)"
    r"(?:\s{0,2}(?:is|was|=|:|是|为|為)\s{0,2}|\s{1,2})(?P<value>\d{3,4})(?!\d)",
    re.IGNORECASE,
)
_SOCIAL = re.compile(
    r"(?:\bSSN|social security(?: number| no\.?)?)\b[^\n\d]{0,12}(?P<value>\d{3}[- ]?\d{2}[- ]?\d{4})(?!\d)",
    re.IGNORECASE,
)
POSTAL = 6  # digits of a postal code, which India calls PIN code


def pins(text: str) -> Iterator[Secret]:
    """Spans of the digits. A PIN code of six digits is an address, so only four, five, seven and eight count there."""
    for found in _PIN.finditer(text):
        if not (found["code"] and len(found["value"]) == POSTAL and "code" in found["code"].casefold()):
            yield Secret(*found.span("value"), "pin")
    for found in _CARD_CODE.finditer(text):
        yield Secret(*found.span("value"), "pin")
    for found in _SOCIAL.finditer(text):
        yield Secret(*found.span("value"), "id_number")
