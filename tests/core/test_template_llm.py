"""The language model of a deployed stack: who knows it, who may call it, and whether there is time for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_memory.settings import Settings
from tests.sam.stack_template import ROOT, read_template

FUNCTIONS = sorted(path.parent.name for path in Path(ROOT / "functions").glob("*/app.py"))
EXTRACTING = {"add_memories", "extraction_worker"}
MODEL, PROFILE = "anthropic.claude-3-haiku-20240307-v1:0", "eu.anthropic.claude-3-haiku-20240307-v1:0"
OF_PROFILE = f"arn:AWS::Partition:bedrock:AWS::Region:AWS::AccountId:inference-profile/{PROFILE}"


def settings_and_statements(function, **parameters):
    template = read_template(parameters=parameters)
    statements = [each for each in template.statements(function) if "bedrock" in json.dumps(each["Action"])]
    return Settings.from_env(template.environment(function)), statements


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_stack_has_no_language_model_unless_one_is_named(function):
    """Rules need none."""
    settings, statements = settings_and_statements(function)
    assert (settings.llm, settings.llm_model, settings.llm_base_url, settings.llm_api_key) == ("", "", "", "")
    assert statements == []


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_model_of_bedrock_is_allowed_where_memories_are_extracted(function):
    """That model, in the region of the stack, nowhere else and nothing else."""
    settings, statements = settings_and_statements(function, LlmModel=MODEL)
    extracts = function in EXTRACTING
    assert (settings.llm, settings.llm_model) == (("bedrock", MODEL) if extracts else ("", ""))
    wanted = f"arn:AWS::Partition:bedrock:AWS::Region::foundation-model/{MODEL}"
    granted = [(each["Action"], each["Resource"]) for each in statements]
    assert granted == ([("bedrock:InvokeModel", wanted)] if extracts else [])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_inference_profile_is_allowed_with_the_model_behind_it(function):
    """In any region, but only by way of the profile."""
    settings, statements = settings_and_statements(function, LlmModel=PROFILE, LlmFoundationModel=MODEL)
    if function not in EXTRACTING:
        assert statements == []
        return
    profile, model = statements
    assert (settings.llm, settings.llm_model) == ("bedrock", PROFILE)
    assert profile["Resource"] == OF_PROFILE
    assert model["Resource"] == f"arn:AWS::Partition:bedrock:*::foundation-model/{MODEL}"
    assert model["Condition"] == {"StringEquals": {"bedrock:InferenceProfileArn": OF_PROFILE}}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_another_server_needs_no_permission(function):
    """Its address and key are settings of those who extract."""
    given = {"LlmModel": "qwen-plus", "LlmBaseUrl": "https://llm.example/v1", "LlmApiKey": "geheim"}
    settings, statements = settings_and_statements(function, **given)
    found = (settings.llm, settings.llm_model, settings.llm_base_url, settings.llm_api_key)
    assert found == (("openai", *given.values()) if function in EXTRACTING else ("", "", "", ""))
    assert statements == []


def test_the_key_is_not_shown():
    """Neither in the console nor by the command line."""
    assert read_template().body["Parameters"]["LlmApiKey"]["NoEcho"] is True


@pytest.mark.parametrize(("function", "calls"), [("add_memories", 2), ("extraction_worker", 4)])
def test_functions_outlive_the_calls_of_a_model(function, calls):
    """Extraction and judgement; in the background also the repair of each. One job at a time."""
    template = read_template()
    settings = Settings.from_env(template.environment(function))
    assert calls * settings.llm_timeout_seconds < template.functions()[function]["Timeout"]
    sizes = [e["Properties"].get("BatchSize", 1) for e in template.functions()[function]["Events"].values()]
    assert sizes == [1]
