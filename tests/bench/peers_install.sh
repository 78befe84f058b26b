#!/usr/bin/env bash
# Makes build/peers: a virtual environment with what the service is compared with, at pinned versions. Registries are
# those that pip is configured for. Needs Python 3. What is there already is kept.
#
# engram-search comes without its dependencies: sentence-transformers (and with it several gigabytes of torch) is only
# loaded for its own embedder and reranker, and neither is used here. fastembed is what mem0 wants for its BM25; the stop
# words that fastembed would download come from stop-words.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=build/peers

packages="mem0ai==2.2.1 qdrant-client==1.20.0 fastembed==0.9.1 stop-words==2025.11.4 lancedb==0.40.0 langgraph==1.2.24"
packages="$packages numpy==2.4.6"
bare_packages="engram-search==0.1.7"
wanted="$packages $bare_packages"

if [ "$(cat "$folder/.packages" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$folder"
  mkdir -p "$folder"
  "${PYTHON:-python3}" -m venv "$folder/venv"
  # shellcheck disable=SC2086 # one word per package
  "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check $packages
  # shellcheck disable=SC2086
  "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps $bare_packages
  printf '%s' "$wanted" >"$folder/.packages"
fi
