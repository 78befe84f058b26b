"""Language models: what they are sent, what is read of the answer, and how they learn what a server takes."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from agent_memory.adapters.bedrock_model import BedrockModel
from agent_memory.adapters.language_models import language_model_of
from agent_memory.adapters.openai_model import OPENAI, OpenAIModel
from agent_memory.errors import LlmRefused
from agent_memory.language_model import Completion
from agent_memory.services import Services
from agent_memory.settings import Settings

from .model_adapters import PROMPT, SCHEMA, SERVICES, adapter, bedrock, openai
from .model_server import BEDROCK_MODEL, MODEL, TEXT, ModelServer, choice, message, model_server, tool_use


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """The services, on loopback and never through a proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with model_server() as running:
        yield running


@pytest.mark.parametrize("name", SERVICES)
def test_an_answer_comes_back_with_its_tokens(name: str, server: ModelServer) -> None:
    """The JSON in Chinese, what the service counted, one call."""
    model = adapter(name, server)
    assert model.complete(PROMPT) == Completion(TEXT, 12, 5, cut=False)
    assert len(server.calls) == 1
    assert model.name == (MODEL if name == "openai" else BEDROCK_MODEL)


def test_openai_is_asked_for_the_schema(server: ModelServer) -> None:
    """Temperature 0, the limit of the prompt, nothing from the environment."""
    openai(server).complete(PROMPT)
    assert server.bodies == [
        {
            "model": MODEL,
            "messages": [{"role": "system", "content": PROMPT.system}, {"role": "user", "content": PROMPT.user}],
            "max_tokens": 100,
            "temperature": 0,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "facts", "schema": SCHEMA, "strict": True},
            },
        }
    ]


def test_bedrock_is_asked_through_a_forced_tool(server: ModelServer) -> None:
    """Its input is the answer."""
    bedrock(server, max_tokens=7).complete(PROMPT)
    assert server.bodies == [
        {
            "messages": [{"role": "user", "content": [{"text": PROMPT.user}]}],
            "system": [{"text": PROMPT.system}],
            "inferenceConfig": {"maxTokens": 7, "temperature": 0.0},
            "toolConfig": {
                "tools": [{"toolSpec": {"name": "facts", "inputSchema": {"json": SCHEMA}}}],
                "toolChoice": {"tool": {"name": "facts"}},
            },
        }
    ]


def test_variables_of_the_library_do_not_count(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings alone say where a call goes, and as whom; without a key there is no Authorization."""
    for variable in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(variable, "fremd")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    server.override = lambda: (200, choice())
    OpenAIModel(f"{server.url}/v1/", "", MODEL).complete(PROMPT)
    ((path, headers, _),) = server.calls
    assert path == "/v1/chat/completions"
    assert "authorization" not in headers
    assert "fremd" not in str(headers)


@pytest.mark.parametrize("taken", ["schema", "object", ""])
def test_openai_learns_what_the_server_takes(taken: str, server: ModelServer) -> None:
    """From strict schema to schema, JSON object and nothing; later calls begin with what went well."""
    forms = ["strict", "schema", "object", ""]

    def form(body: dict) -> str:
        wanted = body.get("response_format", {})
        return (
            {"json_schema": "schema", "json_object": "object"}.get(wanted.get("type"), "")
            if (not wanted.get("json_schema", {}).get("strict"))
            else "strict"
        )

    refused = forms[: forms.index(taken)]
    server.refuses = lambda body: "This response_format type is unavailable now" if form(body) in refused else ""
    model = openai(server)
    assert [model.complete(PROMPT).text for _ in range(2)] == [TEXT, TEXT]
    assert [form(body) for body in server.bodies] == [*refused, taken, taken]
    told = [json.dumps(SCHEMA) in body["messages"][0]["content"] for body in server.bodies]
    assert told[-1] is (taken in ("object", ""))


def test_openai_learns_the_name_of_the_limit_and_the_fixed_temperature(server: ModelServer) -> None:
    """As the newer models of OpenAI want it."""

    def refuses(body: dict) -> str:
        if "max_tokens" in body:
            return "Unsupported parameter: 'max_tokens' is not supported with this model."
        return "Unsupported value: 'temperature' does not support 0 with this model." if "temperature" in body else ""

    server.refuses = refuses
    model = openai(server, max_tokens=9)
    assert [model.complete(PROMPT).text for _ in range(2)] == [TEXT, TEXT]
    assert len(server.calls) == 4
    assert server.bodies[-1]["max_completion_tokens"] == 9
    assert server.bodies[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("refusal", "learned"),
    [
        ("This model doesn't support the toolConfig.toolChoice.tool field.", ["tool", "any", "any"]),
        ("This model doesn't support tool use.", ["tool", "any", "", ""]),
    ],
)
def test_bedrock_learns_which_tools_a_model_takes(refusal: str, learned: list[str], server: ModelServer) -> None:
    """A forced tool, any tool, none with the schema in the prompt."""

    def chosen(body: dict) -> str:
        return next(iter(body.get("toolConfig", {}).get("toolChoice", {"": {}})))

    server.refuses = lambda body: refusal if chosen(body) in ({"tool", "any"} - {learned[-1]}) else ""
    model = bedrock(server)
    assert [json.loads(model.complete(PROMPT).text) for _ in range(2)] == [json.loads(TEXT)] * 2
    assert [chosen(body) for body in server.bodies] == learned
    assert (json.dumps(SCHEMA) in server.bodies[-1]["system"][0]["text"]) is (learned[-1] == "")


def test_bedrock_learns_that_a_model_takes_no_system_text(server: ModelServer) -> None:
    """It then stands before the prompt."""
    server.refuses = lambda body: "This model doesn't support the system field." if "system" in body else ""
    bedrock(server).complete(PROMPT)
    assert server.bodies[-1]["messages"][0]["content"] == [{"text": f"{PROMPT.system}\n\n{PROMPT.user}"}]


@pytest.mark.parametrize("name", SERVICES)
def test_what_was_refused_to_the_end_is_not_remembered(name: str, server: ModelServer) -> None:
    """A refusal for another reason may name a parameter, too; the next call begins anew."""
    server.refuses = lambda _: "max_tokens, temperature, response_format, toolConfig and system make too long an input"
    model = adapter(name, server)
    with pytest.raises(LlmRefused):
        model.complete(PROMPT)
    server.calls.clear()
    server.refuses = lambda _: ""
    model.complete(PROMPT)
    assert len(server.calls) == 1
    assert "json_schema" in str(server.bodies) or "toolConfig" in str(server.bodies)


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        ("openai", choice("", "stop"), Completion("", 12, 5)),
        ("openai", choice(None), Completion("", 12, 5)),
        ("openai", choice("half", "length"), Completion("half", 12, 5, cut=True)),
        ("openai", choice([{"type": "text", "text": "a"}, {"type": "x"}, 3]), Completion("a", 12, 5)),
        ("openai", {"choices": []}, Completion("")),
        ("openai", {"choices": [None]}, Completion("")),
        ("openai", choice("a") | {"usage": None}, Completion("a")),
        ("openai", choice("a") | {"usage": {"prompt_tokens": "x", "completion_tokens": -1}}, Completion("a")),
        ("bedrock", message(), Completion("", 12, 5)),
        ("bedrock", message({"text": "ha"}, {"text": "lf"}, stop="max_tokens"), Completion("half", 12, 5, cut=True)),
        ("bedrock", message({"text": "so:"}, tool_use({"facts": ["虾"]})), Completion('{"facts": ["虾"]}', 12, 5)),
        ("bedrock", message({"reasoningContent": {"reasoningText": {"text": "x"}}}), Completion("", 12, 5)),
    ],
)
def test_what_was_said_is_read(name: str, answer: object, expected: Completion, server: ModelServer) -> None:
    """Nothing is an empty text, a cut is told, wrong counts are none."""
    server.override = lambda: (200, answer)
    assert adapter(name, server).complete(PROMPT) == expected


def test_without_settings_there_is_no_model() -> None:
    """And rules do the work."""
    assert language_model_of(Settings()) is None
    assert Services(Settings()).language_model is None


def test_an_address_or_a_key_is_enough() -> None:
    """The three variables of an OpenAI-compatible server; without an address it is OpenAI's."""
    model = language_model_of(Settings(llm_base_url="http://127.0.0.1:1/v1", llm_model="qwen", llm_api_key="geheim"))
    assert isinstance(model, OpenAIModel)
    assert (model.name, model.timeout_seconds, "geheim" in repr(model)) == ("qwen", 30, False)
    of_openai = language_model_of(Settings(llm_model="gpt", llm_api_key="geheim"))
    assert isinstance(of_openai, OpenAIModel)
    assert of_openai.base_url == OPENAI
    assert "geheim" not in repr(Settings(llm_api_key="geheim"))


def test_bedrock_is_called_once_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the region of the process, with the time of the settings; building it calls nobody."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-1")
    model = language_model_of(Settings(llm="bedrock", llm_model=BEDROCK_MODEL, llm_timeout_seconds=9))
    assert isinstance(model, BedrockModel)
    config = model._client.meta.config
    assert (config.region_name, config.read_timeout, config.connect_timeout) == ("ap-northeast-1", 9, 3)
    assert config.retries["total_max_attempts"] == 1


@pytest.mark.parametrize(
    "given",
    [
        {"llm": "gpt", "llm_model": "x"},
        {"llm": "openai"},
        {"llm": "bedrock"},
        {"llm_api_key": "geheim"},
        {"llm_base_url": "http://127.0.0.1/v1"},
        {"llm_base_url": "file:///etc/passwd", "llm_model": "x"},
        {"llm_model": "x"},
        {"llm": "openai", "llm_model": "x", "llm_timeout_seconds": 0},
    ],
)
def test_settings_that_cannot_work_are_refused(given: dict) -> None:
    """With the variable, never with the key."""
    with pytest.raises(ValueError, match=r"AGENT_MEMORY_LLM|address") as refusal:
        language_model_of(Settings(**given))
    assert "geheim" not in str(refusal.value)
