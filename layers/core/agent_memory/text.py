"""What every text goes through at the border, and the form in which two texts count as the same."""

from __future__ import annotations

import re
import unicodedata

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NEVER_IN_NAMES = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"\s+")


def clean(text: str) -> str:
    """Text that every store can hold: NFC, no control characters but newline and tab, lone surrogates as U+FFFD."""
    joined = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", _SURROGATES.sub("\ufffd", _CONTROLS.sub("", joined)))


def normalised(text: str) -> str:
    """The form that decides whether two texts say the same: NFKC, case folded, spaces collapsed."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def has_control_characters(text: str) -> bool:
    """Whether the text holds a control character or a lone surrogate, which no identifier may."""
    return _NEVER_IN_NAMES.search(text) is not None


def is_blank(text: str) -> bool:
    """Whether nobody would see anything of the text: white space, controls and format characters only."""
    return all(character.isspace() or unicodedata.category(character) in ("Cc", "Cf") for character in text)


def utf8_size(text: str) -> int:
    """Bytes of the text in UTF-8; a lone surrogate counts three."""
    return len(text.encode("utf-8", "surrogatepass"))
