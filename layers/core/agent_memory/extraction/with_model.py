"""Extraction with a language model: its facts as far as their evidence holds them, the rest as it was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from agent_memory.dates_in_text.time_phrases import resolve
from agent_memory.extraction.by_model import Evidenced, Reading, extraction_prompt, read_facts
from agent_memory.extraction.candidates import Candidate, Extraction
from agent_memory.extraction.coverage import uncovered
from agent_memory.extraction.episodes import episodes_of, fact_candidate
from agent_memory.extraction.facts import Fact
from agent_memory.extraction.grounding import refusal
from agent_memory.extraction.risks import risk_flags
from agent_memory.extraction.said import Said, said_in
from agent_memory.extraction.second_opinion import as_claimed, is_unclaimed, source_of
from agent_memory.extraction.sentences import chunk, cost, sentence_slices
from agent_memory.extraction.small_talk import says_something
from agent_memory.language_model import NOTHING_SPENT, LanguageModel, Spent
from agent_memory.model_calls import ask
from agent_memory.models import Message

BATCH_CHARACTERS = 16_000  # Latin letters; 6,000 Chinese ones count as many
_COST = 3  # of a Latin letter in the measure of `sentences.cost`
UNUSABLE, SPEAKER, QUOTE, UNCLAIMED = "unusable", "speaker", "quote", "unclaimed"
INSTRUCTION, CUT_OFF = "instruction_like", "cut_off"


@dataclass(frozen=True, slots=True)
class _Found:
    """A fact that its evidence holds, and what was said there."""

    fact: Evidenced
    said: Said


def extract_with_model(
    messages: Sequence[Message], model: LanguageModel, instructions: str, characters: int = BATCH_CHARACTERS
) -> tuple[Extraction, Spent]:
    """One call for each batch of so many characters that were said, one more where an answer can't be used.

    Raises LlmFailed, with what was spent.
    """
    said = said_in(messages)
    names = {message.speaker for message in messages}
    spent, refused, found = NOTHING_SPENT, Counter[str](), list[_Found]()
    for batch in batches([each for each in said if says_something(each.text, names)], characters * _COST):
        shown = [_as_message(each) for each in batch]
        asked = ask(model, extraction_prompt(shown, instructions), partial(read_facts, messages=shown))
        spent = spent + asked.spent
        kept, why = grounded(asked.value, batch)
        found += kept
        refused += why
        refused[CUT_OFF] += not asked.complete
    return Extraction(tuple(_candidates(said, found, names)), dict(+refused)), spent


def batches(said: Sequence[Said], budget: int) -> Iterator[list[Said]]:
    """What was said in runs that fit one call; a long text is parted at the ends of sentences."""
    batch: list[Said] = []
    room = budget
    for each in said:
        for piece in chunk(each.text, budget):
            if batch and cost(piece) > room:
                yield batch
                batch, room = [], budget
            batch.append(Said(each.index, each.message, each.speaker, piece, each.quoted))
            room -= cost(piece)
    if batch:
        yield batch


def grounded(reading: Reading, said: Sequence[Said]) -> tuple[list[_Found], Counter[str]]:
    """The facts that are in what was said at the positions they name; how many are not, by reason."""
    found: list[_Found] = []
    refused = Counter({UNUSABLE: reading.dropped} if reading.dropped else {})
    speakers = [each.speaker for each in said]
    for told, positions in reading.facts:
        evidence = [said[position] for position in positions]
        source, sentence = source_of(told, evidence)
        fact = as_claimed(told, source, sentence)
        reason = (
            _out_of_place(fact, evidence, source)
            or _unclaimed(sentence)
            or refusal(
                fact.text,
                fact.owner,
                [each.text for each in evidence],
                speakers,
                [phrase.date for each in evidence for phrase in resolve(each.text, each.message.local_ms)],
            )
        )
        if reason:
            refused[reason] += 1
        else:
            found.append(_Found((fact, tuple(dict.fromkeys(each.index for each in evidence))), source))
    return found, refused


def _out_of_place(fact: Fact, evidence: Sequence[Said], source: Said) -> str | None:
    """Why the evidence can't speak for the owner: only assistants say it, or the sender only passes it on."""
    speakers = [each.speaker for each in evidence]
    if all(each.by_assistant for each in evidence) and not any(_is_about(fact.owner, each) for each in speakers):
        return SPEAKER
    sender = source.message.speaker or source.message.role
    about_sender = _is_about(fact.owner, sender) or fact.text.casefold().startswith(("user ", "the user ", "用户"))
    if source.quoted and about_sender:
        return QUOTE
    return INSTRUCTION if risk_flags(source.text) else None


def _unclaimed(sentence: str) -> str | None:
    return UNCLAIMED if is_unclaimed(sentence) else None


def _is_about(owner: str, speaker: str) -> bool:
    return owner.casefold() == speaker.casefold()


def _as_message(said: Said) -> Message:
    """What was said, as the model is shown it: under the name of who said it."""
    return said.message.model_copy(update={"content": said.text, "speaker": said.speaker})


def _candidates(said: Sequence[Said], found: Sequence[_Found], names: set[str]) -> Iterator[Candidate]:
    """Message by message: its facts, then an episode of the sentences that none of them covers."""
    for each in said:
        mine = [one for one in found if (one.said.index, one.said.speaker) == (each.index, each.speaker)]
        for one in mine:
            fact, sources = one.fact
            yield fact_candidate(each, fact, sources)
        telling = [one.fact[0].text for one in found if each.index in one.fact[1]]
        parts = sentence_slices(each.text)
        left = uncovered([part.strip() for part in parts], telling) if telling else range(len(parts))
        yield from episodes_of(each, "".join(parts[place] for place in left).strip(), names)
