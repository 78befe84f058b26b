"""Whether an assistant only says back what is known: the telling words are all there, and nothing is denied."""

from __future__ import annotations

import pytest

from agent_memory.settlement.restated import is_restated

KNOWN = ["I live in York.", "I drive a blue hatchback.", "我住在杭州。", "My SSH port is 2222."]


@pytest.mark.parametrize(
    "text",
    [
        "You drive a blue hatchback.",
        "You live in York now.",
        "Great, I noted that you drive a blue hatchback!",
        "您住在杭州。",
        "好的，您现在住在杭州。",
        "Your SSH port is 2222.",
    ],
)
def test_what_is_known_is_restated(text: str) -> None:
    """With courtesies and other words for the user."""
    assert is_restated(text, KNOWN)


@pytest.mark.parametrize(
    "text",
    [
        "You live in Leeds.",
        "You don't live in York.",
        "You drive a red hatchback.",
        "您住在北京。",
        "您不住在杭州。",
        "Your SSH port is 22.",
        "You live in York and work in Leeds.",
        "Ok!",
        "",
    ],
)
def test_anything_new_is_not(text: str) -> None:
    """Another word, number or place, a denial, or nothing at all."""
    assert not is_restated(text, KNOWN)
    assert not is_restated(text, [])
