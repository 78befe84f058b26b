"""What SAM makes of the template, and whether Lambda would take it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sam.stack_template import ROOT, read_template

UNZIPPED_LIMIT = 262_144_000  # AWS: "250 MB" for a function with its layers
TRANSFORM = Path(__file__).with_name("transform.py")
LIBRARIES = ("aws_lambda_powertools", "numpy", "onnxruntime", "pydantic", "sentencepiece")


def test_the_template_is_valid(sam):
    """`sam validate --lint`."""
    assert "is a valid SAM Template" in sam.run("validate", "--lint")


@pytest.mark.parametrize("model", ["", "amazon.titan-embed-text-v2:0"])
def test_cloudformation_can_transform_the_template(sam, model):
    """AWS's transform is stricter than `sam validate`: run the translator that it is made of."""
    python = sam.tools.sam.parent / "python"
    done = subprocess.run(
        [python, TRANSFORM, ROOT / "template.yaml", f"EmbedderModel={model}"],
        env=sam.tools.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kinds = done.stdout.split()
    assert kinds.count("AWS::Lambda::Function") == len(read_template().functions())
    assert kinds.count("AWS::Lambda::EventSourceMapping") == 3


def test_functions_fit_into_lambda(built, capsys):
    """Code and layers of each function, for both architectures, under the limit; the sizes are printed."""
    rows = []
    for architecture in ("x86_64", "arm64"):
        template = read_template(built.path, {"Architecture": architecture})
        for name, properties in template.functions().items():
            layers = {layer.name: size_of(layer) for layer in template.layers(name)}
            total = size_of(built.path.parent / properties["CodeUri"]) + sum(layers.values())
            rows.append((total, f"{name:<25} {architecture:<7} {total / 1e6:6.1f} MB  {megabytes(layers)}"))
    with capsys.disabled():
        sys.stdout.write("\n".join(["\n", "unzipped sizes (limit 262.1 MB)", *(row for _, row in rows), ""]))
    assert max(total for total, _ in rows) < UNZIPPED_LIMIT


@pytest.mark.parametrize("architecture", ["x86_64", "arm64"])
def test_the_dependencies_layer_is_of_its_architecture(built, architecture):
    """Each shared library says in its header for which machine it is; byte code is there, the runtime's boto3 not."""
    packages = built.path.parent / {"x86_64": "DependenciesX86Layer", "arm64": "DependenciesArm64Layer"}[architecture]
    packages /= "python"
    machine = {"x86_64": 62, "arm64": 183}[architecture]
    libraries = [path for path in packages.rglob("*.so*") if path.is_file()]
    assert libraries
    assert {int.from_bytes(path.read_bytes()[18:20], "little") for path in libraries} == {machine}
    for name in LIBRARIES:
        assert (packages / name / "__pycache__" / "__init__.cpython-312.pyc").is_file()
    assert not (packages / "botocore").exists()


def size_of(folder: Path) -> int:
    """Bytes of the files below."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def megabytes(sizes: dict[str, int]) -> str:
    """Name and size of each."""
    return ", ".join(f"{name} {size / 1e6:.1f}" for name, size in sizes.items())
