"""What was wrong with a request, in words that start with the field's path."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agent_memory.invalid import first_problem


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    content: str
    size: int = 1


class Sample(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    items: list[Inner] = []
    ratio: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0
    flag: bool = False
    labels: dict[str, str] = {}
    kind: Literal["one", "two"] = "one"
    few: Annotated[list[str], Field(min_length=1, max_length=2)] = ["a"]
    token: Annotated[str, Field(max_length=3)] = ""

    @model_validator(mode="after")
    def _fits(self) -> Sample:
        if self.token == "bad":
            raise ValueError(".token does not fit kind")
        if self.token == "no":
            raise ValueError("the whole does not fit")
        return self


class Outer(BaseModel):
    sample: Sample


@pytest.mark.parametrize(
    ("body", "field", "problem"),
    [
        ({"items": [{"content": "a"}] * 3 + [{"content": 1}]}, "items[3].content", "must be a string"),
        ({"items": [{}]}, "items[0].content", "is required"),
        ({"items": [{"content": "a", "extra": 1}]}, "items[0].extra", "is not a known field"),
        ({"items": [{"content": "a", "size": "1"}]}, "items[0].size", "must be a whole number"),
        ({"items": [{"content": "a", "size": True}]}, "items[0].size", "must be a whole number"),
        ({"items": [{"content": "a", "size": 1.0}]}, "items[0].size", "must be a whole number"),
        ({"items": ["a"]}, "items[0]", "must be an object"),
        ({"items": {}}, "items", "must be an array"),
        ({"items": None}, "items", "must be an array"),
        ({"ratio": "0.5"}, "ratio", "must be a number"),
        ({"ratio": float("nan")}, "ratio", "must be a finite number"),
        ({"ratio": 1.01}, "ratio", "must be less than or equal to 1"),
        ({"ratio": -1}, "ratio", "must be greater than or equal to 0"),
        ({"flag": "true"}, "flag", "must be true or false"),
        ({"flag": 1}, "flag", "must be true or false"),
        ({"labels": []}, "labels", "must be an object"),
        ({"labels": {"颜色": 1}}, "labels.颜色", "must be a string"),
        ({"kind": "three"}, "kind", "must be 'one' or 'two'"),
        ({"few": []}, "few", "must have at least 1 item after validation, not 0"),
        ({"few": ["a", "b", "c"]}, "few", "must have at most 2 items after validation, not 3"),
        ({"token": "虾虾虾虾"}, "token", "must have at most 3 characters"),
        ({"未知": 1}, "未知", "is not a known field"),
        ({"token": "bad"}, "token", "does not fit kind"),
        ({"token": "no"}, "", "the whole does not fit"),
    ],
)
def test_a_problem_names_its_field(body: dict[str, Any], field: str, problem: str) -> None:
    """Path by dots and positions, then plain words without any value of the request."""
    with pytest.raises(ValidationError) as refused:
        Sample.model_validate(body)
    assert first_problem(refused.value) == (field, problem)


def test_the_check_of_an_inner_object_names_the_field_below_it() -> None:
    """`.token` of a check stands behind the path of the object that was checked."""
    with pytest.raises(ValidationError) as refused:
        Outer.model_validate({"sample": {"token": "bad"}})
    assert first_problem(refused.value) == ("sample.token", "does not fit kind")


def test_the_first_of_several_problems_is_told() -> None:
    """One at a time, in the order of the fields."""
    with pytest.raises(ValidationError) as refused:
        Sample.model_validate({"flag": 1, "ratio": "x", "items": [{"content": "a"}, {"content": None}]})
    assert first_problem(refused.value) == ("items[1].content", "must be a string")


def test_a_path_is_cut() -> None:
    """A field's name comes from the caller and may be long."""
    with pytest.raises(ValidationError) as refused:
        Sample.model_validate({"虾" * 5_000: 1})
    assert first_problem(refused.value) == ("虾" * 200, "is not a known field")
