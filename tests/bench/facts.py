"""Facts right, wrong and missed in labelled dialogues: rules, and a model where the settings name one.

    python tests/bench/facts.py [--dialogues N] [--language en] [--keep FILE] [--list] [--write]

The model is that of AGENT_MEMORY_LLM, _LLM_MODEL, _LLM_BASE_URL, _LLM_API_KEY, _LLM_TIMEOUT_SECONDS and
_LLM_BATCH_CHARACTERS; each dialogue is one batch. With --dialogues the first N of each language are run, by rules and
with the model. With --keep the model's answers are kept in the file and not asked for again, so that a second run goes
on from there, or tells what another version of the code makes of the same answers.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from agent_memory.adapters.language_models import language_model_of
from agent_memory.language_model import LanguageModel
from agent_memory.settings import Settings
from tests.bench.facts_labels import LANGUAGES, Dialogue, read_dialogues
from tests.bench.facts_runs import KeptModel, by_rules, run, with_model
from tests.bench.facts_tables import Way, listing, quality, refusals
from tests.bench.results_file import command, versions, write_section

SECTION = "facts"
PACKAGES = ("agent-memory", "openai", "pydantic")
MEANING = """Our own dialogues (data/dialogues_en.jsonl and _zh.jsonl), 4 to 7 messages each, labelled by hand before
the rules were read. Found, missed: of the facts wanted; one whose text holds the label's words and that has its owner
and polarity finds it. Right: facts that find a label, also one that is allowed and not wanted. Wrong: another owner or
polarity, or a claim that nobody made. Other: facts that no label speaks of. Precision: right of right and wrong. Kind
right: of the right ones, kind and state of a task as well. Refused: facts of the model that were not taken. Failed:
dialogues on which the model's answers could not be used, which count here as nothing found."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run, print, and write where asked."""
    given = _parsed(arguments)
    settings = Settings.from_env()
    model = language_model_of(settings)
    talks = {language: read_dialogues(language)[: given.dialogues] for language in given.language or LANGUAGES}
    ways = list(_ways(talks, model, settings.llm_batch_characters, given.keep))
    if given.list:
        print(*(line for way in ways for line in listing(way)), sep="\n")
    text = _text(ways, model)
    print(text)
    if given.write:
        write_section(f"{SECTION}-{model.name}" if model else SECTION, text)


def _ways(
    talks: dict[str, list[Dialogue]], model: LanguageModel | None, characters: int, keep: Path | None
) -> Iterator[Way]:
    for language, dialogues in talks.items():
        start = time.perf_counter()
        ran = tuple(run(dialogues, by_rules))
        yield Way(language, "rules", ran, time.perf_counter() - start)
        if model:
            kept = KeptModel(model, keep)
            ran = tuple(run(dialogues, with_model(kept, characters)))
            yield Way(language, model.name, ran, kept.seconds)


def _text(ways: Sequence[Way], model: LanguageModel | None) -> str:
    head = f"## Facts: rules and {model.name}" if model else "## Facts: rules"
    parts = [head, MEANING, quality(ways), refusals(ways), f"`{command()}`, {versions(PACKAGES)}."]
    return "\n\n".join(part.strip() for part in parts if part.strip())


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dialogues", type=int, metavar="N", help="the first N of each language")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="only this language")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the model's answers, and go on from there")
    parser.add_argument("--list", action="store_true", help="print what is wrong, missed, or for a person to look at")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
