"""Settings: one variable per field, read once, wrong numbers named."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from agent_memory.settings import MODEL_NAME, Settings, default_model_dir

NUMBERS = [field.name for field in fields(Settings) if isinstance(field.default, int)]
TEXTS = [field.name for field in fields(Settings) if isinstance(field.default, str)]


def variable(name: str) -> str:
    return f"AGENT_MEMORY_{name.upper()}"


def test_an_empty_environment_gives_the_defaults() -> None:
    """Embedded adapters, the packaged embedder, five hand-overs of a job."""
    settings = Settings.from_env({})
    assert settings == Settings()
    assert (settings.table_name, settings.embedder, settings.data_dir) == ("", "e5", "data")
    assert (settings.max_attempts, settings.lease_seconds) == (5, 60)


def test_every_field_is_text_or_number() -> None:
    """So a variable of each can be read."""
    assert sorted(NUMBERS + TEXTS) == sorted(field.name for field in fields(Settings))


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "sign_in"])
def test_a_text_is_taken_as_it_is(name: str) -> None:
    """Chinese and white space included."""
    assert getattr(Settings.from_env({variable(name): " 数据 "}), name) == " 数据 "


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_read(name: str) -> None:
    """Whole numbers only; the error names the variable and what it holds."""
    assert getattr(Settings.from_env({variable(name): "42"}), name) == 42
    for wrong in ("4.2", "many", "0x10", "1 000"):
        with pytest.raises(ValueError, match=f"^{variable(name)} must be a whole number, not '{wrong}'$"):
            Settings.from_env({variable(name): wrong})


@pytest.mark.parametrize("name", [*TEXTS, *NUMBERS])
def test_an_empty_variable_counts_as_unset(name: str) -> None:
    """Templates often pass an empty string for nothing."""
    assert Settings.from_env({variable(name): ""}) == Settings()


def test_foreign_variables_do_not_matter() -> None:
    """Lower case and other prefixes are not ours."""
    environ = {"agent_memory_embedder": "x", "MEMORY_EMBEDDER": "x", "AGENT_MEMORY_UNKNOWN": "x", "EMBEDDER": "x"}
    assert Settings.from_env(environ) == Settings()


def test_settings_do_not_change() -> None:
    """They are read once."""
    with pytest.raises(FrozenInstanceError):
        Settings().embedder = "other"  # type: ignore[misc]


def test_a_printed_setting_shows_no_secret() -> None:
    """Settings may end up in a log or a traceback."""
    assert "geheim" not in repr(Settings(embedder_api_key="geheim", reranker_api_key="geheim", llm_api_key="geheim"))


def test_the_model_is_where_the_variable_says() -> None:
    """The variable wins over layer and checkout; empty, it does not count."""
    assert default_model_dir({"AGENT_MEMORY_MODEL_DIR": "models/e5"}) == Path("models/e5")
    assert default_model_dir({"AGENT_MEMORY_MODEL_DIR": ""}) == default_model_dir({})


def test_without_a_variable_the_model_is_in_the_layer_or_the_checkout() -> None:
    """An absolute path that ends in the model's name."""
    found = default_model_dir({})
    assert found.is_absolute()
    assert found.name == MODEL_NAME
    assert found.parent in (Path("/opt"), Path(__file__).resolve().parents[2] / ".models")


@pytest.mark.parametrize("text", ["open", "required"])
def test_sign_in_is_one_of_two(text: str) -> None:
    """Anything else must not fall back to serving everybody."""
    assert Settings.from_env({"AGENT_MEMORY_SIGN_IN": text}).sign_in == text
    with pytest.raises(ValueError, match="AGENT_MEMORY_SIGN_IN"):
        Settings.from_env({"AGENT_MEMORY_SIGN_IN": text.upper()})
