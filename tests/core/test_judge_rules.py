"""Of two claims about one thing the newer evidence wins, and what says nothing of another is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.settlement.judge_rules import Held, Verdict, judge, same_value


def claim(text, value=None, attribute=None, kind="profile", **changes):
    fields = {"id": "new", "owner": "user", "negated": False, "state": None, "said_at_ms": 10, "version": 1}
    return Held(**(fields | {"text": text, "value": value, "attribute": attribute, "kind": kind} | changes))


def home(value, at=10, text=None, **changes):
    return claim(text or f"I live in {value}.", value, "residence", said_at_ms=at, **({"id": value} | changes))


def taste(text, at, *, negated=False, attribute=None, **changes):
    return claim(text, None, attribute, "preference", said_at_ms=at, negated=negated, **({"id": text} | changes))


def task(text, at, state, attribute="task buy milk"):
    return claim(text, None, attribute, "task", said_at_ms=at, state=state, id=text)


NOT_LEEDS = home("leeds", 10, negated=True, text="I no longer live in Leeds.", id="new")
LIKES, DISLIKES = taste("I like coriander", 5), taste("I don't like coriander", 10, negated=True)


@pytest.mark.parametrize(
    ("new", "held", "expected"),
    [
        (home("york"), [], Verdict("write")),
        (home("york"), [home("leeds", 5)], Verdict("replace", ("leeds",))),
        (home("york"), [home("leeds", 10)], Verdict("replace", ("leeds",))),
        (home("york", 1), [home("leeds", 5)], Verdict("late", same="leeds")),
        (home("york", 3), [home("leeds", 1), home("hull", 5)], Verdict("late", ("leeds",), "hull")),
        (home("york"), [home("leeds", 5), home("hull", 6)], Verdict("replace", ("leeds", "hull"))),
        (home("york"), [home("york", 5, id="old")], Verdict("skip", same="old")),
        (home("york, uk"), [home("york", 5)], Verdict("skip", same="york")),
        (home("york"), [home("leeds", 5, owner="Lena")], Verdict("write")),
        (home("york", owner="LENA"), [home("leeds", 5, owner="Lena")], Verdict("replace", ("leeds",))),
        (home("york"), [claim("I'm a nurse", "nurse", "job", said_at_ms=5)], Verdict("write")),
        (home("york"), [home("york", 5, id="old"), home("leeds", 6)], Verdict("replace", ("leeds", "old"))),
        (NOT_LEEDS, [home("leeds", 5)], Verdict("replace", ("leeds",))),
        (NOT_LEEDS, [home("york", 5)], Verdict("write")),
        (NOT_LEEDS, [home("leeds", 50)], Verdict("late", same="leeds")),
        (home("york", 20), [NOT_LEEDS], Verdict("write")),
        (home("leeds", 20), [NOT_LEEDS], Verdict("replace", ("new",))),
        (
            claim("I don't have a job", None, "job", negated=True),
            [claim("I'm a nurse", "nurse", "job", id="nurse", said_at_ms=5)],
            Verdict("replace", ("nurse",)),
        ),
    ],
)
def test_a_new_value_takes_the_place_of_an_older_one(new, held, expected):
    """Of the same owner and attribute."""
    assert judge(new, held) == expected


@pytest.mark.parametrize(
    ("new", "held", "expected"),
    [
        (DISLIKES, [LIKES], Verdict("replace", (LIKES.id,))),
        (LIKES, [DISLIKES], Verdict("late", same=DISLIKES.id)),
        (
            taste("我喜欢吃香菜", 10),
            [taste("我不喜欢吃香菜", 5, negated=True)],
            Verdict("replace", ("我不喜欢吃香菜",)),
        ),
        (taste("I like tea", 10), [taste("I don't like coffee", 5, negated=True)], Verdict("write")),
        (DISLIKES, [taste("I like coriander", 5, owner="Lena")], Verdict("write")),
        (DISLIKES, [taste("I like coriander", 5, attribute="likes coriander")], Verdict("write")),
        (
            taste("I can't stand it", 10, negated=True, attribute="likes coriander"),
            [taste("I like coriander", 5, attribute="likes coriander")],
            Verdict("replace", ("I like coriander",)),
        ),
        (
            claim("I ate meat", None, None, "event", id="a"),
            [claim("I did not eat meat", None, None, "event", negated=True, said_at_ms=5)],
            Verdict("write"),
        ),
        (
            claim("Always reply in Chinese", None, None, "agreement"),
            [claim("Never reply in Chinese", None, None, "agreement", negated=True, said_at_ms=5, id="never")],
            Verdict("replace", ("never",)),
        ),
    ],
)
def test_a_denial_takes_the_place_of_the_sentence_it_denies(new, held, expected):
    """With an attribute, or without one where only polarity differs; never an event."""
    assert judge(new, held) == expected


def test_a_task_goes_on():
    """What was planned is done; news of the plan that arrive late change nothing."""
    planned, done = task("I need to buy milk", 5, "planned"), task("I bought the milk", 10, "done")
    assert judge(done, [planned]) == Verdict("replace", (planned.id,))
    assert judge(planned, [done]) == Verdict("late", same=done.id)
    assert judge(task("I have to buy milk", 7, "planned"), [planned]) == Verdict("skip", same=planned.id)
    assert judge(task("I need bread", 7, "planned", "task buy bread"), [planned]) == Verdict("write")


def test_events_stay_side_by_side():
    """Of one attribute or none; the same event told again is skipped, that of another day is not."""
    day = 86_400_000
    first = claim("I ran a marathon yesterday.", None, None, "event", id="first", said_at_ms=100 * day)
    assert judge(claim("I swam in the sea.", None, None, "event", said_at_ms=101 * day), [first]) == Verdict("write")
    again = claim("I ran a marathon yesterday", None, None, "event", said_at_ms=100 * day + 1)
    assert judge(again, [first]) == Verdict("skip", same="first")
    other = claim("I ran a marathon yesterday", None, None, "event", said_at_ms=107 * day)
    assert judge(other, [first]) == Verdict("write")
    one, two = (claim(f"I went to {x}", x, "trip", "event", id=x, said_at_ms=5) for x in ("rome", "oslo"))
    assert judge(one, [two]) == Verdict("write")


def test_a_claim_that_tells_more_is_not_lost():
    """It takes the place of one that it repeats with a new number, date or name, else both stay."""
    held = home("leeds", 5, id="old")
    longer = home("leeds", 10, text="I have lived in Leeds for 5 years.", id="new")
    assert judge(longer, [held]) == Verdict("replace", ("old",))
    assert judge(held, [longer]) == Verdict("skip", same="new")
    partly = home("leeds", 10, text="Leeds has been home since 2019.", id="new")
    assert judge(partly, [longer]) == Verdict("write")


def test_another_count_without_a_value_is_another_claim():
    """For what is true of somebody or agreed."""
    three = claim("I train 3 times a week", None, "training", id="three", said_at_ms=5)
    assert judge(claim("I train 5 times a week", None, "training"), [three]) == Verdict("replace", ("three",))


SAME_VALUES = (
    "york|york, uk 北京|北京市 York|ＹＯＲＫ nurse|a_nurse 2222|2222 上海|上海市 the_red_one|red_one 香港|香港"
)
OTHER_VALUES = (
    "york|new_york 22|2222 leeds|leads 北京|南京 maria|marta flat_3|flat_5 tea|teak 30|31 海淀区|朝阳区 5_km|5_m"
)


def pairs(table):
    return [tuple(pair.replace("_", " ").split("|")) for pair in table.replace(", ", ",_").split(" ")]


@pytest.mark.parametrize(("one", "other"), pairs(SAME_VALUES))
def test_a_value_may_be_written_differently(one, other):
    """In case, width, article, or with what only places it."""
    assert same_value(one, other)
    assert same_value(other, one)


@pytest.mark.parametrize(("one", "other"), pairs(OTHER_VALUES))
def test_similar_values_are_not_the_same(one, other):
    """However few letters differ."""
    assert not same_value(one, other)
    assert not same_value(other, one)


@given(st.lists(st.tuples(st.sampled_from(["leeds", "york", "hull"]), st.integers(0, 3)), max_size=6))
def test_the_newest_value_is_the_one_that_stands(said):
    """In whatever order claims arrive, one remains, and it is of the latest time."""
    current = []
    for number, (value, at) in enumerate(said):
        new = home(value, at, id=str(number))
        verdict = judge(new, current)
        current = [each for each in current if each.id not in verdict.retire]
        if verdict.action == "skip":
            current = [home(each.value, max(each.said_at_ms, at), id=each.id) for each in current]
        elif verdict.action != "late":
            current.append(new)
    assert len(current) == min(1, len(said))
    assert {each.said_at_ms for each in current} == {at for _, at in said if at == max(each[1] for each in said)}
