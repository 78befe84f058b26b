# `make` lists the targets. Needs python3 (3.11 or newer), make and git; works with GNU make 3.81.

PYTHON ?= python3
PORT ?= 8787
DATA ?= data
# Further options of pytest, such as PYTEST="-x -k search".
PYTEST ?=
PROCESSES := -n auto --maxprocesses 4
# The language model of `make test-llm`: 0.5b or 1.5b.
MODEL_SIZE ?= 0.5b
# Further targets of `make check`.
CHECK_MORE ?=

BIN := .venv/bin
READY := .venv/.ready
MODEL := .models/e5-small
MODEL_READY := $(MODEL)/manifest.json
BUILD_SCRIPTS := $(wildcard layers/models/*.py)
CHECKED := .ci functions layers tests

.PHONY: help setup run test lint types check clean clients-test sam-test kill-test test-llm
.DEFAULT_GOAL := help

help: ## list the targets
	@echo "make TARGET [PORT=$(PORT)] [DATA=$(DATA)] [PYTHON=$(PYTHON)]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile

setup: $(READY) $(MODEL_READY) ## make the virtual environment (.venv) and the embedding model (.models)

run: setup ## serve the API on 127.0.0.1, at port PORT, with the data in DATA
	@exec $(BIN)/agent-memory serve --port "$(PORT)" --data "$(DATA)"

test: setup ## run the tests that need nothing but Python
	$(BIN)/python -m pytest --ignore=tests/sam --ignore=tests/bench --ignore=tests/clients --ignore=tests/llm $(PROCESSES) $(PYTEST)

sam-test: setup ## run the build output under the Lambda runtime (Python 3.12, npm; Docker where there is one)
	bash tests/sam/install_tools.sh
	$(BIN)/python -m pytest tests/sam

clients-test: setup ## run the official clients against the server (Node.js 20.9 or newer, Chromium)
	bash tests/clients/install.sh
	$(BIN)/python -m pytest tests/clients -n 2

kill-test: setup ## kill the server ten times while it works, and count what is left
	$(BIN)/python tests/flows/kill.py --rounds 10

test-llm: setup ## run the service with a small language model (0.5 GB to fetch; Node.js 20 or newer)
	PYTHON="$(BIN)/python" MODEL_SIZE="$(MODEL_SIZE)" bash tests/llm/install.sh
	AGENT_MEMORY_TEST_LLM="build/llm/qwen2.5-coder-$(MODEL_SIZE).gguf" $(BIN)/python -m pytest tests/llm

lint: $(READY) ## check style and format
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)

types: $(READY) ## check types
	$(BIN)/mypy

check: lint types test clients-test sam-test $(CHECK_MORE) ## what CI runs: lint, types and all tests

clean: ## remove what setup and the checks made; the data stay
	rm -rf .venv .models .aws-sam .pytest_cache .mypy_cache .ruff_cache .hypothesis build

# Made anew only where pip does not run in it, so that a broken or half-made one is replaced.
$(READY): pyproject.toml layers/dependencies/requirements.txt .ci/make_venv.py
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) .ci/make_venv.py .venv
	$(BIN)/python -m pip install --disable-pip-version-check --editable '.[local,model,dev]'
	@touch $@

# The script leaves a finished model as it is; touching the manifest tells make so.
$(MODEL_READY): $(READY) $(BUILD_SCRIPTS)
	@$(BIN)/python layers/models/build_model.py $(MODEL)
	@touch $@
