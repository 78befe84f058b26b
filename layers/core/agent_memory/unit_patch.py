"""What UpdateMemory makes of a memory. Pure."""

from __future__ import annotations

import json
import re
from typing import Any

from agent_memory.errors import InvalidParameter
from agent_memory.extraction.sentence_rules import facts_in
from agent_memory.extraction.sentences import split_sentences
from agent_memory.languages import language_of
from agent_memory.models import MAX_METADATA_BYTES, MAX_METADATA_KEYS, MemoryUnit
from agent_memory.requests.units import UpdateMemoryRequest
from agent_memory.text import utf8_size
from agent_memory.times import format_ms

TIME_SOURCE = "client"
_SAID_AT = re.compile(r"\[\d{4}-\d{2}-\d{2}T[0-9:.]{8,12}Z\] ")


def patched(unit: MemoryUnit, request: UpdateMemoryRequest, now_ms: int) -> MemoryUnit:
    """The next version of the unit, or the unit itself where the patch changes nothing.

    InvalidParameter where the metadata would outgrow their limits.
    """
    given = request.changes
    if request.metadata is not None:
        given["metadata"] = _merged(unit.metadata, request.metadata)
    changes: dict[str, Any] = {name: value for name, value in given.items() if value != getattr(unit, name)}
    if not changes:
        return unit
    if "text" in changes:
        said = _search_text(unit, changes["text"])
        changes |= {"search_text": said, "language": language_of(said), **_claimed(unit, said)}
    if "effective_at" in changes or "time_precision" in changes:
        changes["time_source"] = TIME_SOURCE
    return unit.model_copy(update={**changes, "updated_at": format_ms(now_ms), "version": unit.version + 1})


def _claimed(unit: MemoryUnit, said: str) -> dict[str, Any]:
    """What the new text claims, as far as rules can read it; a value that was read in the old one is gone."""
    if unit.subject is None:
        return {}
    own = said.removeprefix(f"{unit.speaker}: ")
    read = [fact for part in split_sentences(own) for fact in facts_in(part, unit.speaker or unit.subject)]
    if len(read) != 1:
        return dict.fromkeys(("attribute", "value", "negated", "state", "claim"))
    claim = read[0].model_dump(include={"kind", "attribute", "value", "negated", "state"})
    return {**claim, "subject": read[0].owner, "claim": None if read[0].text == own else read[0].text}


def _merged(metadata: dict[str, str], patch: dict[str, str | None]) -> dict[str, str]:
    if not patch:
        return {}
    both = {**metadata, **patch}
    merged = {key: value for key, value in both.items() if value is not None}
    if len(merged) > MAX_METADATA_KEYS:
        raise InvalidParameter("metadata", f"would have more than {MAX_METADATA_KEYS} keys")
    if utf8_size(json.dumps(merged, ensure_ascii=False)) > MAX_METADATA_BYTES:
        raise InvalidParameter("metadata", f"would have more than {MAX_METADATA_BYTES} bytes of JSON")
    return merged


def _search_text(unit: MemoryUnit, text: str) -> str:
    """What is indexed of the new text: with its speaker where that was so, and without the time that clients are shown.

    A client may send back the shown form, in which both stand already.
    """
    speaker = f"{unit.speaker}: "
    if unit.speaker is None or not unit.search_text.startswith(speaker):
        return text
    said = _SAID_AT.sub("", text, count=1) if _SAID_AT.match(text) else text
    return said if said.startswith(speaker) else speaker + said
