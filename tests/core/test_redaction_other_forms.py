"""Secrets on command lines, behind words that are secret only with such a value, and codes that were sent."""

from __future__ import annotations

import pytest

from agent_memory.redaction.finding import redacted, secrets_in

HIDDEN = [
    ("secret key: Zz9xQ12345", "Zz9xQ12345"),
    ("password:\n\nLine7788x", "Line7788x"),
    ("Passcode 448812", "448812"),
    ("My wife's PIN 9931 is easy", "9931"),
    ("the pass is Bob12345", "Bob12345"),
    ("mysql -uroot -pX9secret", "X9secret"),
    ("sshpass -p Xabc ssh host", "Xabc"),
    ("curl -u bob:Xabc9 http://a", "Xabc9"),
    ("deploy --password hunter2", "hunter2"),
    ("password (for bank): Xy12345", "Xy12345"),
    ("the password used to be hunter2x", "hunter2x"),
    ("password was changed from Old123 to New456", "Old123"),
    ("password was changed from Old123 to New456", "New456"),
    ("口令是芝麻开门99", "芝麻开门99"),
    ("验证码是493027", "493027"),
    ("login admin / Cherry6677", "Cherry6677"),
    ("passport number X1234567", "X1234567"),
    ("护照号是E12345678", "E12345678"),
    ("my password isn't hunter2", "hunter2"),
    ("p a s s w o r d: abc123", "abc123"),
]


@pytest.mark.parametrize(("text", "secret"), HIDDEN)
@pytest.mark.parametrize("around", ["{}", "By the way, {}, ok?", "记一下：{}。谢谢"])
def test_the_value_is_hidden_and_nothing_else(text: str, secret: str, around: str) -> None:
    """Wherever it stands; a second time changes nothing."""
    shown = redacted(around.format(text))
    assert secret not in shown
    assert shown.startswith(around.partition("{")[0] + text[:2])
    assert redacted(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "my boarding pass is on my phone",
        "the mountain pass is closed",
        "pass me the salt",
        "docker run -p 8080:80 x",
        "ssh -p 2222 host",
        "验证码没收到",
        "one-time code didn't arrive",
        "PIN the message",
        "passport expires in 2030",
        "the password policy was changed from weekly to monthly",
        "the password was changed from weekly to monthly",
        "login page / settings2",
        "my pass is valid",
        "Secret key signing is hard",
        "p a s s w o r d",
    ],
)
def test_talk_of_such_things_stays(text: str) -> None:
    """There is no value in it."""
    assert secrets_in(text) == []


@pytest.mark.parametrize(
    "text", ["password " * 4_000, "mysql " + "-p " * 10_000, "p a s s w o r d " * 2_000, "curl " * 6_000]
)
def test_long_text_is_read_once(text: str) -> None:
    """No pattern goes back over what it read, or this would not end."""
    assert redacted(text) == text
