"""What stands behind "the password is" and is none: talk about a password, types and stand-ins of its place, code."""

from __future__ import annotations

import re

_TALK = """
a about above absent accepted accessible across after again all already also always an and another any anymore
anything as asked at available aware bad banned because been before behind being below beside best better between
big blank blocked boring broken but by cached case case-sensitive changed changing cheap checked clear cleared
common complete complex complicated compromised confidential confirmed correct corrupted cracked crucial currently
dangerous dead default deleted denied different difficult disabled displayed done down due during easy either empty
encrypted enough entered essential even ever every everything exactly exceeding exempt exposed expired expiring fail
failed failing fake false fine fixed for forbidden forgotten from funny garbage generated generic gone good great
hackable hacked hard hardcoded hashed he her here hers hidden his horrible how identical if ignored important
impossible in incorrect inside insecure invalid irrelevant is it its just kept known lame last later leaked least
less like literally locked long longer lost lowercase mandatory masked maybe me memorable memorized mine missing
mixed more most my myself necessary needed never new next no none nonexistent not nothing now null obsolete of off
ok okay old older on once one only open optional or other our ours out outdated over pending perfect personal
plaintext please possible pretty private probably protected public quite random ready really recent recoverable
rejected related rejecting replaced required reset restricted reused right rotated safe salted same saved secret
secure secured sensitive sent set shared she short shorter should shown similar simple single so some someone
something somewhere soon stale still stolen stored string strong stronger stupid such super supposed taken temporary
terrible than that the their theirs them then there these they this those through to today tomorrow tonight too
tough tricky trivial true two type typed ugly unchanged under unique unknown unlikely unnecessary unsafe until up
updated uppercase useless using valid validated very via visible vulnerable wanted was weak weaker weird well what
whatever when where which while who whose why with within without working worse worst written wrong yes yet you your
yours text number password pass passwd pwd username email optional boolean char varchar undefined todo tbd n/a na
unavailable redacted removed omitted see ask check contact try use enter type click call keep don't doesn't isn't
can't won't i i'm i'll we user admin's managed handled hidden-field long-forgotten up-to-date out-of-date important
mandatory vital annoying exciting confusing embarrassing missing
"""
TALK = frozenset(_TALK.split())
_PLACES = """
string str text varchar char number integer int bool boolean true false null none nil undefined required optional
hidden password passwd pwd pass secret token value example placeholder changeme todo tbd n/a unknown yes no redacted
removed omitted masked empty blank sha1 sha256 sha512 md5 bcrypt argon2 argon2id pbkdf2 base64 utf8 utf-8 oauth2
http2 web3 sha-256 aes256 aes-256 rs256 hs256 1password keepass bitwarden lastpass dashlane nordpass keepassxc
enpass roboform icloud keychain 2fa mfa otp sso
"""
PLACES = frozenset(_PLACES.split())
_ASKED_FOR = re.compile(
    r"[$<{\[%]|process\.env|os\.(?:environ|getenv)|\*{3,}|\.{3,}|x{4,}\Z|[•●*_.\-xX?#]+\Z|\0|\[SECRET", re.IGNORECASE
)
_CALL = re.compile(r"[A-Za-z_][\w.]*\(")
_ATTRIBUTE = re.compile(
    r"[A-Za-z_]+(?:\.[A-Za-z_]+)+|(?:your|my|the|new|old|user|current)[_-]?\w*(?:password|pass|pwd|secret)\w*",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"\d+(?:st|nd|rd|th|x|k|%|\+)|\d+[-+]?(?:chars?|characters?|digits?|letters?|days?|weeks?|months?"
    r"|years?|hours?|mins?|minutes?|bits?|words?)\b.*"
    r"|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?|\d{1,2}:\d{2}(?::\d{2})?(?:am|pm)?|\d{4}-\d\d-\d\dT\S*"
    r"|v\d+(?:\.\d+)*|\d{4}s",
    re.IGNORECASE,
)


def stands_in(value: str) -> bool:
    """Whether the value is a variable, a type, a row of asterisks or a piece of code."""
    return bool(
        not value
        or value.casefold() in PLACES
        or _ASKED_FOR.match(value)
        or _CALL.match(value)
        or _ATTRIBUTE.fullmatch(value)
        or _MEASURE.fullmatch(value)
    )


def is_talk(word: str) -> bool:
    """Whether the word is one by which people speak about a password, or around one."""
    folded = word.casefold()
    return folded in TALK or folded.endswith(("able", "ible", "ful", "ized", "ised", "ypted", "crackable"))
