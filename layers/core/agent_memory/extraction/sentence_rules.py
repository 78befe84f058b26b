"""What the rules of a sentence's own language say of it; other languages have none."""

from __future__ import annotations

from agent_memory.extraction.facts import Fact
from agent_memory.extraction.narrowing import narrowed
from agent_memory.extraction.risks import risk_flags
from agent_memory.extraction.rules_en.sentences import facts_in as facts_in_english
from agent_memory.extraction.rules_en.vetoes import claims_nothing as claims_nothing_in_english
from agent_memory.extraction.rules_zh.clauses import clauses
from agent_memory.extraction.rules_zh.folding import fold
from agent_memory.extraction.rules_zh.sentences import facts_in as facts_in_chinese
from agent_memory.extraction.sentences import PIECE_BUDGET, cost
from agent_memory.languages import language_of


def facts_in(sentence: str, speaker: str) -> list[Fact]:
    """What the speaker claims in it. Text that instructs a model claims nothing, nor does an endless one."""
    language = language_of(sentence)
    if language not in ("en", "zh") or cost(sentence) > PIECE_BUDGET or risk_flags(sentence):
        return []
    found = facts_in_english(sentence, speaker) if language == "en" else facts_in_chinese(sentence, speaker)
    return [fact for each in found if (fact := narrowed(each, sentence, speaker)) is not None]


def claims_nothing(sentence: str) -> bool:
    """Whether it only asks, supposes, jokes or passes on."""
    language = language_of(sentence)
    if language == "en":
        return claims_nothing_in_english(sentence)
    return language == "zh" and all(clause.doubt for clause in clauses(fold(sentence)))
