"""What a role allows, as far as the template's policies go: actions, resources, and three operators of conditions.

Source: IAM user guide, "JSON policy elements: Condition operators" and "Multivalued context keys".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.sam.aws_calls import Use

Statement = Mapping[str, Any]


def listed(value: str | Sequence[str]) -> list[str]:
    """IAM takes one text for a list of one."""
    return [value] if isinstance(value, str) else list(value)


def allows(statement: Statement, use: Use) -> bool:
    """Whether the statement alone allows it."""
    resources = [_resource(arn) for arn in listed(statement["Resource"])]
    return (
        use.action in listed(statement["Action"])
        and use.resource in resources
        and all(
            _holds(operator, key, listed(wanted), use)
            for operator, keys in statement.get("Condition", {}).items()
            for key, wanted in keys.items()
        )
    )


def unused_actions(statements: Sequence[Statement], uses: Sequence[Use]) -> set[str]:
    """The actions of a statement that no use of it needs, whatever the other statements allow."""
    needed = [{use.action for use in uses if allows(each, use)} for each in statements]
    return {
        action for each, met in zip(statements, needed, strict=True) for action in set(listed(each["Action"])) - met
    }


def _resource(arn: str) -> str:
    """What an ARN names; `name/*` for the objects of a bucket."""
    name = arn.rpartition(":::")[2]
    return name if name.endswith("/*") else re.split("[:/]", name)[-1]


def _holds(operator: str, key: str, wanted: list[str], use: Use) -> bool:
    given = use.context.get(key, frozenset())
    if operator == "StringEquals":
        return len(given) == 1 and given <= set(wanted)
    assert operator in ("ForAllValues:StringEquals", "ForAllValues:StringLike")
    if not given:
        return False  # IAM would say yes; every call that the template means has the key
    patterns = [_pattern(text) if operator.endswith("Like") else re.escape(text) for text in wanted]
    return all(any(re.fullmatch(pattern, value, re.DOTALL) for pattern in patterns) for value in given)


def _pattern(text: str) -> str:
    """`*` is any text, `?` any one character."""
    return "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in text)
