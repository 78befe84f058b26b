#!/usr/bin/env bash
# Makes build/aws: `tools` (SAM CLI, moto's server) and `runtime` (Python 3.12 with what Lambda's runtime brings), and
# puts the DynamoDB emulator into node_modules. Needs a Python 3.12 that is a real executable (on the PATH, from pyenv,
# or PYTHON312=...) and npm. What is there already is kept.
set -euo pipefail
cd "$(dirname "$0")/../.."

is_python312() {
  [ -n "$1" ] && "$1" -c 'import sys; raise SystemExit(sys.version_info[:2] != (3, 12))' 2>/dev/null
}

find_python312() {
  local candidate
  for candidate in "${PYTHON312:-}" "$(command -v python3.12 || true)" \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.12.*/bin/python3.12; do
    if is_python312 "$candidate"; then
      # The interpreter itself: a shim would choose anew at every call.
      "$candidate" -c 'import os, sys; print(os.path.realpath(sys.executable))'
      return
    fi
  done
  echo "no Python 3.12, the runtime of the functions: install one, or name it in PYTHON312" >&2
  return 1
}

make_venv() { # name, interpreter, packages...
  local folder="build/aws/$1" python="$2" wanted
  shift 2
  wanted="$*"
  if [ "$(cat "$folder/.packages" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$folder"
    "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
    printf '%s' "$wanted" >"$folder/.packages"
  fi
}

python312=$(find_python312)
make_venv runtime "$python312" "awslambdaric>=3,<5" "boto3>=1.40,<2"
make_venv tools "$python312" "aws-sam-cli>=1.150,<2" "moto[kms,s3,server,sqs]>=5.1,<6"

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) package=@dynoxide/linux-x64 ;;
  Linux-aarch64) package=@dynoxide/linux-arm64 ;;
  *) package= ;;
esac
if [ -n "$package" ] && [ ! -d "node_modules/$package" ]; then
  npm install --silent --no-save --no-audit --no-fund --no-package-lock "$package@^1.2.1"
fi
