"""Which operations there are: every use case that takes a request, under its own name.

`add_memories(request: AddMemoriesRequest, ...)` in `use_cases/add_memories.py` answers AddMemories. So the document
needs no list of its own, and none of the functions' folders, of which a Lambda holds one.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic.alias_generators import to_pascal

from agent_memory import use_cases
from agent_memory.requests.fields import Request

_SOURCE = re.compile(r" \(spec of the API[^)]*\)")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: the body it takes and the use case that answers it."""

    name: str
    request: type[Request]
    use_case: Callable[..., Any]

    @property
    def group(self) -> str:
        """What it is about: the module of its request."""
        return self.request.__module__.rpartition(".")[2]

    @property
    def group_words(self) -> str:
        """What the group holds."""
        return _SOURCE.sub("", inspect.getdoc(sys.modules[self.request.__module__]) or "")

    @property
    def request_words(self) -> str:
        """What a caller must know of the body, the words of the models that it extends behind its own."""
        models = self.request.__mro__[: self.request.__mro__.index(Request)]
        return "\n\n".join(inspect.cleandoc(each.__doc__) for each in models if each.__doc__)

    @property
    def answer_words(self) -> str:
        """What comes back; what stands behind the first paragraph is for those who change the code."""
        return (inspect.getdoc(self.use_case) or "").partition("\n\n")[0]


def operations() -> dict[str, Operation]:
    """Every operation by name, in the order of the names. Imports all use cases."""
    verbs = sorted(each.name for each in pkgutil.iter_modules(use_cases.__path__))
    modules = {verb: importlib.import_module(f"{use_cases.__name__}.{verb}") for verb in verbs}
    found = [_operation(verb, vars(module)) for verb, module in modules.items()]
    return {each.name: each for each in found if each is not None}


def _operation(verb: str, names: dict[str, Any]) -> Operation | None:
    """The operation of a use case; None for a job, which takes no request."""
    use_case = names.get(verb)
    annotation = getattr(use_case, "__annotations__", {}).get("request")
    request = names.get(annotation) if isinstance(annotation, str) else annotation
    if not callable(use_case) or not (isinstance(request, type) and issubclass(request, Request)):
        return None
    return Operation(to_pascal(verb), request, use_case)
