"""The figures, labels and tables of the bench, against examples worked out by hand."""

from __future__ import annotations

import re
from math import log2
from pathlib import Path

import pytest

from agent_memory.languages import language_of
from tests.bench import figures
from tests.bench.corpora import across_languages
from tests.bench.labels import labels, named_turns
from tests.bench.results_file import table, with_section, write_section
from tests.clients.conversations import Question

FOUND = ("D2:1", "D1:3", "D1:4", "D3:1", "D1:9", "D4:2")
SESSIONS = {turn: turn.partition(":")[0] for turn in (*FOUND, "D9:9")}


def test_each_name_counts_where_it_stands_first() -> None:
    """A turn that two results name has the rank of the better one."""
    assert figures.distinct(["b", "a", "b", "c", "a"]) == ("b", "a", "c")


def test_all_evidence_needs_every_turn_among_the_first() -> None:
    """Turns at rank 2 and 5: any from 2 on, all from 5 on, a half in between."""
    wanted = {"D1:3", "D1:9"}
    assert [figures.found_any(FOUND, wanted, cut) for cut in (1, 2, 4, 5)] == [0, 1, 1, 1]
    assert [figures.found_all(FOUND, wanted, cut) for cut in (1, 2, 4, 5)] == [0, 0, 0, 1]
    assert [figures.found_share(FOUND, wanted, cut) for cut in (1, 2, 4, 5)] == [0, 0.5, 0.5, 1]


def test_the_reciprocal_rank_is_that_of_the_first_one_wanted() -> None:
    """Nothing found counts 0."""
    assert figures.reciprocal_rank(FOUND, {"D1:9", "D1:3"}) == 1 / 2
    assert figures.reciprocal_rank(FOUND, {"D9:9"}) == 0
    assert figures.reciprocal_rank((), {"D9:9"}) == 0


def test_ndcg_compares_with_the_best_order() -> None:
    """Two wanted at ranks 2 and 5 against ranks 1 and 2; more wanted than places can still reach 1."""
    gain, best = 1 / log2(3) + 1 / log2(6), 1 + 1 / log2(3)
    assert figures.ndcg(FOUND, {"D1:3", "D1:9"}, 10) == pytest.approx(gain / best)
    assert figures.ndcg(FOUND, {"D1:3", "D1:9"}, 4) == pytest.approx((1 / log2(3)) / best)
    assert figures.ndcg(("a", "b"), {"a", "b", "c"}, 2) == pytest.approx(1)


def test_sessions_are_ranked_by_their_first_turn() -> None:
    """Six turns of four sessions: D1 is second, and so is whole at 5; an unfound session is missing from all."""
    shown = figures.figures_of(FOUND, {"D1:9", "D4:2"}, SESSIONS)
    assert (shown["session any@5"], shown["session all@5"]) == (1, 1)
    assert (shown["turn any@5"], shown["turn all@5"], shown["turn all@10"]) == (1, 0, 1)
    assert (shown["R@10"], shown["MRR"]) == (1, 1 / 5)
    missed = figures.figures_of(FOUND, {"D1:9", "D9:9"}, SESSIONS)
    assert (missed["session any@10"], missed["session all@10"], missed["R@10"]) == (1, 0, 0.5)


def test_means_are_over_questions() -> None:
    """Each question counts the same."""
    assert figures.means([{"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 0.0}, {"a": 0.5, "b": 3.0}]) == {"a": 0.5, "b": 1.0}
    assert figures.means([]) == {}


def test_the_interval_is_that_of_a_mean() -> None:
    """Half found of four: standard deviation of the sample 0.5774, of the mean 0.2887."""
    assert figures.half_width([1, 0, 1, 0]) == pytest.approx(1.96 * 0.288675, rel=1e-5)
    assert figures.half_width([1]) == 0


@pytest.mark.parametrize(("share", "value"), [(0.5, 20), (0.51, 30), (0.95, 40), (0.0, 10), (1.0, 40)])
def test_percentiles_are_values_that_occurred(share: float, value: float) -> None:
    """Nearest rank."""
    assert figures.percentile([40, 10, 30, 20], share) == value


def test_there_is_no_percentile_of_nothing() -> None:
    """It is said, not made up."""
    with pytest.raises(ValueError, match="no values"):
        figures.percentile([], 0.5)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("D1:3", ["D1:3"]),
        ("D8:6; D9:17", ["D8:6", "D9:17"]),
        ("D9:1 D4:4 D4:6", ["D9:1", "D4:4", "D4:6"]),
        ("D:11:26", ["D11:26"]),
        ("D30:05", ["D30:5"]),
        ("D", ["D"]),
        ("en-007", ["en-007"]),
        ("m-1、m-2", ["m-1", "m-2"]),
        ("", []),
    ],
)
def test_evidence_is_read_as_people_wrote_it(written: str, read: list[str]) -> None:
    """Several in one string, a stray colon, leading zeros; other ids stay as they are."""
    assert list(named_turns(written)) == read


def test_questions_without_a_turn_that_exists_are_skipped_and_counted() -> None:
    """Ids that name nothing are dropped, also beside others; a turn named twice counts once."""
    asked = [
        Question("两个", ("D1:1; D1:02", "D1:1"), 1),
        Question("one of two", ("D1:1", "D7:7"), 4),
        Question("none", ("D",), 2),
        Question("no label", (), 3),
    ]
    read = labels(asked, ["D1:1", "D1:02"])
    assert [(each.number, set(each.evidence)) for each in read.questions] == [(0, {"D1:1", "D1:02"}), (1, {"D1:1"})]
    assert (read.skipped, read.dropped) == (2, 2)


def test_a_section_is_replaced_and_the_rest_stays() -> None:
    """Written twice it stands once, where it was."""
    first = with_section("# Results\n", "one", "old | 旧")
    both = with_section(first, "two", "other")
    assert with_section(both, "one", "new") == (
        "# Results\n\n<!-- one: begin -->\nnew\n<!-- one: end -->\n\n<!-- two: begin -->\nother\n<!-- two: end -->\n"
    )


def test_the_file_is_made_with_a_heading(tmp_path: Path) -> None:
    """The first script to write makes it."""
    write_section("one", "text", tmp_path / "RESULTS.md")
    assert (tmp_path / "RESULTS.md").read_text(encoding="utf-8").startswith("# Bench results\n")


def test_a_table_is_markdown() -> None:
    """Text to the left, numbers to the right."""
    assert table(["name", "n"], [["一", "1"]]) == "| name | n |\n| --- | ---: |\n| 一 | 1 |\n"


def test_our_own_questions_are_in_the_other_language() -> None:
    """A hundred each way, each text once, and question and memory have no word of letters in common."""
    corpus = across_languages()
    said = {message["messageId"]: message["content"] for message in corpus.messages}
    asked = {next(iter(question.evidence)): question for _, question in corpus.questions}
    assert [sum(name.startswith(tag) for name in said) for tag in ("en-", "zh-")] == [100, 100]
    assert len(set(said.values())) == len({question.text for question in asked.values()}) == len(asked) == 200
    for name, question in asked.items():
        other = "zh" if name.startswith("en-") else "en"
        assert (language_of(said[name]), language_of(question.text)) == (name[:2], other), name
        assert not _words(said[name]) & _words(question.text), name


def _words(text: str) -> set[str]:
    return set(re.findall("[a-z0-9]+", text.casefold()))
