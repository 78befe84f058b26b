"""The rules of the structure, read from the syntax trees: who imports whom, when, and how large things get."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import agent_memory
from agent_memory.local.functions import FUNCTIONS_DIR

PACKAGE = Path(agent_memory.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
APPS = sorted(FUNCTIONS_DIR.glob("*/app.py"))
FILES = [*MODULES.values(), *APPS]

HEAVY = (
    *("boto3", "botocore", "numpy", "simsimd", "onnxruntime", "sentencepiece", "uvicorn", "aws_lambda_powertools"),
    *("openai", "httpx2", "rapidfuzz"),
)
BORDER = (
    "services",
    "dispatch",
    "use_cases",
    "http",
    "workers",
    "local",
    "adapters",
    "openapi",
)  # all that is not the inner core
MAX_MODULE_LINES = 199
MAX_FUNCTION_LINES = 45
MAX_APP_LINES = 30
MAX_APP_STATEMENTS = 3
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc", "shared"}


@dataclass(frozen=True)
class Import:
    """One import: the module that is imported, and whether that happens when the importing module is."""

    module: str
    at_import: bool
    typing_only: bool


def is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports_of(path: Path) -> Iterator[Import]:
    """Every import of a file, wherever it stands."""
    pending: list[tuple[ast.AST, bool, bool]] = [(ast.parse(path.read_text("utf-8")), True, False)]
    while pending:
        node, at_import, typing_only = pending.pop()
        for name in imported_names(node):
            yield Import(name, at_import and not typing_only, typing_only)
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        guarded = isinstance(node, ast.stmt) and is_type_checking(node)
        pending.extend((child, at_import and not later, typing_only or guarded) for child in ast.iter_child_nodes(node))


def imported_names(node: ast.AST) -> list[str]:
    """The modules of an import; `from package import module` is about the module."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    assert node.level == 0, "imports are absolute"
    inner = [f"{node.module}.{alias.name}" for alias in node.names]
    return [name if name in MODULES else str(node.module) for name in inner]


@cache
def own_imports(module: str) -> tuple[Import, ...]:
    """The imports of a module that are modules of the package."""
    return tuple(each for each in imports_of(MODULES[module]) if each.module.split(".")[0] == "agent_memory")


def part(module: str) -> str:
    """The first name below the package: `use_cases` of `agent_memory.use_cases.add_memories`."""
    return module.partition(".")[2].partition(".")[0]


def offences(importers: tuple[str, ...], forbidden: tuple[str, ...]) -> list[str]:
    """Imports, at any time, of a forbidden part by one of the importers."""
    return [
        f"{module} -> {each.module}"
        for module in MODULES
        if part(module) in importers
        for each in own_imports(module)
        if part(each.module) in forbidden
    ]


def parts() -> set[str]:
    return {part(module) for module in MODULES} - {""}


def test_only_services_and_the_embedded_server_name_adapters() -> None:
    """Everyone else speaks to ports."""
    others = tuple(parts() - {"adapters", "services", "local"})
    assert offences(others, ("adapters",)) == []


def test_services_import_adapters_only_when_one_is_needed() -> None:
    """A process pays for the parts that it uses."""
    early = {part(each.module) for each in own_imports("agent_memory.services") if each.at_import}
    assert early <= {"settings", "errors"}


def test_the_core_knows_nothing_of_what_is_around_it() -> None:
    """Models, ports, requests, extraction, retrieval, settlement and all other inner modules import inward only."""
    assert offences(tuple(parts() - set(BORDER)), BORDER) == []


@pytest.mark.parametrize(
    ("importer", "forbidden"),
    [
        ("adapters", ("services", "dispatch", "use_cases", "http", "workers", "local", "requests", "extraction")),
        ("services", ("dispatch", "use_cases", "http", "workers", "local", "requests")),
        ("dispatch", ("use_cases", "http", "workers", "local", "adapters")),
        ("use_cases", ("http", "workers", "local", "adapters")),
        ("http", ("use_cases", "workers", "local", "adapters")),
        ("workers", ("use_cases", "http", "local", "adapters")),
        ("openapi", ("services", "dispatch", "workers", "local", "adapters", "retrieval", "settlement", "extraction")),
        ("requests", ("keys", "records", "ports", "retrieval", "settlement")),
        ("extraction", ("ports", "keys", "records", "requests", "retrieval", "settlement")),
        ("claims", ("ports", "keys", "records", "requests", "retrieval", "settlement", "extraction")),
        ("redaction", ("ports", "keys", "records", "retrieval", "settlement", "extraction")),
        ("retrieval", ("extraction", "requests", "settlement")),
        ("models", ("ports", "keys", "records", "requests")),
        ("ports", ("models", "keys", "records", "requests")),
    ],
)
def test_parts_of_the_package_keep_to_their_side(importer: str, forbidden: tuple[str, ...]) -> None:
    """Use cases import no adapters, adapters no use cases, and so on."""
    assert importer in parts()
    assert offences((importer,), forbidden) == []


def test_no_two_modules_import_each_other() -> None:
    """The imports at import time have an order."""
    graph = {module: {each.module for each in own_imports(module) if each.at_import} for module in MODULES}
    assert len(list(TopologicalSorter(graph).static_order())) >= len(MODULES)


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.parent.name)
def test_a_function_imports_the_way_in_a_request_and_a_use_case(app: Path) -> None:
    """Or the pages about them. Nothing else: whatever a function does, the core does."""
    assert {part(each.module) for each in imports_of(app)} <= {"http", "workers", "requests", "use_cases", "openapi"}
    assert all(each.module.startswith("agent_memory.") for each in imports_of(app))


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.parent.name)
def test_a_function_is_one_short_statement(app: Path) -> None:
    """At most three beside docstring and imports, none of which decides anything."""
    text = app.read_text("utf-8")
    tree = ast.parse(text)
    rest = [node for node in tree.body[1:] if not isinstance(node, ast.Import | ast.ImportFrom)]
    assert ast.get_docstring(tree)
    assert 1 <= len(rest) <= MAX_APP_STATEMENTS
    assert all(isinstance(node, ast.Assign) for node in rest)
    assert len(text.splitlines()) <= MAX_APP_LINES


def test_only_settings_read_the_environment() -> None:
    """Neither `os.environ` nor `os.getenv` anywhere else."""
    found = [
        path.name
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.environ", "os.environb", "os.getenv"))
        or (isinstance(node, ast.ImportFrom) and node.module == "os" and {"environ", "getenv"} & names_in(node))
    ]
    assert set(found) == {"settings.py"}


def names_in(node: ast.ImportFrom) -> set[str]:
    return {alias.name for alias in node.names}


LISTENER = "listener.py"  # subclasses the HTTP server's class, and is itself imported on first use only


def test_heavy_packages_are_imported_on_first_use() -> None:
    """No module costs their import time by being imported itself."""
    found = [
        f"{path.relative_to(path.parents[2])}: {each.module}"
        for path in FILES
        for each in imports_of(path)
        if each.at_import and each.module.split(".")[0] in HEAVY and path.name != LISTENER
    ]
    assert found == []
    importers = [each for path in FILES if path.name != LISTENER for each in imports_of(path)]
    assert not [each for each in importers if each.at_import and each.module.endswith("local.listener")]


FRESH = """
import importlib, sys
acts = []
def watch(event, args):
    if event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+"):
        acts.append((event, str(args[0])))
    elif event in ("socket.connect", "socket.bind", "sqlite3.connect", "subprocess.Popen", "os.mkdir", "os.remove"):
        acts.append((event, str(args)))
    elif event == "_thread.start_new_thread":
        acts.append((event, ""))
sys.addaudithook(watch)
for name in sys.argv[1].split(","):
    importlib.import_module(name)
if len(sys.argv) > 2:
    from agent_memory.local.functions import load_handler
    for name in sys.argv[2].split(","):
        load_handler(name)
print(acts)
print(sorted(set(sys.modules) & set(sys.argv[3].split(","))) if len(sys.argv) > 3 else [])
"""


def in_a_fresh_process(*arguments: str) -> list[str]:
    """What a new interpreter did while importing (writes, connections, processes), and which heavy modules it has."""
    command = [sys.executable, "-B", "-c", FRESH, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(PACKAGE.parent)})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_importing_any_module_does_nothing() -> None:
    """No file is written, no connection opened, no process or thread started, and the environment is not needed."""
    assert in_a_fresh_process(",".join(MODULES))[0] == "[]"


def test_importing_every_function_loads_nothing_heavy() -> None:
    """A cold start pays for boto3, NumPy and the model when it first needs them."""
    names = ",".join(app.parent.name for app in APPS)
    assert in_a_fresh_process("agent_memory", names, ",".join(HEAVY)) == ["[]", "[]"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_modules_are_short(path: Path) -> None:
    """Under two hundred lines."""
    assert len(path.read_text("utf-8").splitlines()) <= MAX_MODULE_LINES


def functions_of(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_functions_are_short() -> None:
    """45 lines with their docstring are the most."""
    found = [
        f"{path.stem}.{node.name}: {length}"
        for path in FILES
        for node in functions_of(path)
        if (length := (node.end_lineno or 0) - node.lineno + 1) > MAX_FUNCTION_LINES
    ]
    assert found == []


def test_names_of_modules_say_what_is_inside() -> None:
    """None is called after having no subject."""
    names = {name for path in FILES for name in (path.stem, path.parent.name)}
    assert names & NAMES_THAT_SAY_NOTHING == set()
    assert [name for name in names for word in name.split("_") if word in ("utils", "helpers", "manager")] == []


Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def public_things(node: Documented, name: str) -> Iterator[tuple[str, Documented]]:
    """The module or class, and the public classes, functions and methods below; inside a function all is private."""
    yield name, node
    for child in node.body if isinstance(node, ast.Module | ast.ClassDef) else ():
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not child.name.startswith("_"):
            yield from public_things(child, f"{name}.{child.name}")


def test_everything_public_has_a_docstring() -> None:
    """Modules, classes, functions, methods and properties."""
    found = [
        name
        for path in FILES
        for name, node in public_things(ast.parse(path.read_text("utf-8")), path.stem)
        if not ast.get_docstring(node)
    ]
    assert found == []
