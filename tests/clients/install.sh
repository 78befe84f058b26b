#!/usr/bin/env bash
# Makes build/clients: the official clients at pinned versions (`node_modules` from npm, `venv` from PyPI) and, as root on
# Debian, Chromium with a font for Chinese. Registries are those that npm, pip and apt are configured for. Needs Node.js
# 20.9 or newer with npm, and Python 3. What is there already is kept.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=build/clients
mkdir -p "$folder"

npm_packages="tablestore@5.6.5 @tablestore/tablestore-agent-cli@0.4.2 playwright-core@1.64.1"
pip_packages="tablestore==6.4.8 tablestore-agent-storage==1.0.10"

# name of the note, what is wanted: whether the note says something else
differs() {
  [ "$(cat "$folder/.$1" 2>/dev/null)" != "$2" ]
}

if differs npm "$npm_packages"; then
  rm -rf "$folder/node_modules"
  # shellcheck disable=SC2086 # one word per package
  npm install --silent --prefix "$folder" --no-save --no-audit --no-fund --no-package-lock $npm_packages
  printf '%s' "$npm_packages" >"$folder/.npm"
fi

if differs pip "$pip_packages"; then
  rm -rf "$folder/venv"
  "${PYTHON:-python3}" -m venv "$folder/venv"
  # shellcheck disable=SC2086
  "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check $pip_packages
  printf '%s' "$pip_packages" >"$folder/.pip"
fi

if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "no Chromium, which the tests of the dashboard drive: install one (Debian: the package chromium)" >&2
    exit 0
  fi
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends chromium fonts-wqy-microhei
fi
