"""The Lambda handlers of the checkout, loaded from `functions/*/app.py` as Lambda would: each file by its path."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

FUNCTIONS_DIR = Path(__file__).resolve().parents[4] / "functions"


def load_handler(name: str) -> Any:
    """The `handler` of `functions/<name>/app.py`."""
    path = FUNCTIONS_DIR / name / "app.py"
    spec = importlib.util.spec_from_file_location(f"agent_memory_functions.{name}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.handler


def load_routes() -> dict[str, Any]:
    """Operation name to handler, over every function that serves operations."""
    return _by_name("operations")


def load_pages() -> dict[str, Any]:
    """The last segment of the path to handler, over every function that serves pages, which are read with GET."""
    return _by_name("pages")


def _by_name(served: str) -> dict[str, Any]:
    handlers = [load_handler(path.parent.name) for path in sorted(FUNCTIONS_DIR.glob("*/app.py"))]
    return {name: handler for handler in handlers for name in getattr(handler, served, ())}
