"""What was wrong with a request, in words that name the field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError

_PLAIN = {
    "missing": "is required",
    "extra_forbidden": "is not a known field",
    "string_type": "must be a string",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "finite_number": "must be a finite number",
}


def first_problem(error: ValidationError) -> tuple[str, str]:
    """(field path such as `messages[3].content`, what is wrong with it) of the first error."""
    problem = error.errors(include_url=False, include_input=False)[0]
    field = _path(problem["loc"])
    text = _PLAIN.get(problem["type"])
    if text is None:
        text = _words(problem["msg"], problem.get("ctx", {}))
    if text.startswith("."):  # the check of a whole object names the field inside it
        name, _, text = text[1:].partition(" ")
        field = f"{field}.{name}".lstrip(".")
    return field, text


def _words(message: str, context: dict[str, Any]) -> str:
    raised = context.get("error")
    if raised is not None:
        return str(raised)
    return message.replace("Input should", "must").replace("String should", "must").replace("List should", "must")


def _path(parts: tuple[int | str, ...]) -> str:
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".")[:200]
