"""A base image like Lambda's, made from this machine's Python 3.12 where no image can be pulled.

It has the folders of the Lambda base image (/var/lang the interpreter, /var/runtime the runtime client and boto3,
/var/rapid the emulator, /opt the layers), and the few programs that SAM's own build steps call.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.sam.docker_engine import Engine
from tests.sam.tools import Tools

NAME = "agent-memory-lambda-python:3.12"
PROGRAMS = ("sh", "mv", "chmod", "cp", "rm", "mkdir")
# What AWS's image has of the C and C++ libraries, and wheels expect of any Linux.
SYSTEM = [
    "libc",
    "libdl",
    "libgcc_s",
    "libm",
    "libnss_dns",
    "libnss_files",
    "libpthread",
    "libresolv",
    "librt",
    "libstdc++",
    "libutil",
]
LEFT_OUT = ("test", "idlelib", "tkinter", "site-packages", "__pycache__", "ensurepip", "config-*")
BOOTSTRAP = """#!/bin/sh
export AWS_EXECUTION_ENV=AWS_Lambda_python3.12
exec /var/lang/bin/python3.12 -m awslambdaric "$_HANDLER"
"""
ENTRYPOINT = '#!/bin/sh\nexec /var/rapid/aws-lambda-rie "$@" /var/runtime/bootstrap\n'
VARIABLES = {
    "PATH": "/var/lang/bin:/usr/bin:/opt/bin",
    "LD_LIBRARY_PATH": "/var/lang/lib:/lib64:/usr/lib64:/var/runtime:/var/task:/opt/lib",
    "LAMBDA_TASK_ROOT": "/var/task",
    "LAMBDA_RUNTIME_DIR": "/var/runtime",
    "PYTHONPATH": "/var/task:/opt/python/lib/python3.12/site-packages:/opt/python:/var/runtime",
    "LANG": "en_US.UTF-8",
    "TZ": ":UTC",
}


def make_image(engine: Engine, tools: Tools, folder: Path) -> str:
    """The image's name; `folder` takes its files."""
    root = folder / "root"
    _lay_folders(root)
    _copy_python(root, tools.python)
    for program in PROGRAMS:
        shutil.copy(os.path.realpath(shutil.which(program) or program), root / "usr" / "bin" / program)
    _copy_libraries(root)
    _write_scripts(root)
    changes = [f"ENV {name}={value}" for name, value in VARIABLES.items()]
    changes += ["WORKDIR /var/task", 'ENTRYPOINT ["/lambda-entrypoint.sh"]']
    options = [part for change in changes for part in ("--change", change)]
    with subprocess.Popen(["tar", "-C", str(root), "-c", "."], stdout=subprocess.PIPE) as archive:
        assert archive.stdout is not None
        engine.run("import", *options, "-", NAME, stdin=archive.stdout.fileno())
    return NAME


def _lay_folders(root: Path) -> None:
    for name in (
        "usr/bin",
        "usr/lib",
        "usr/lib64",
        "etc",
        "var/task",
        "var/rapid",
        "var/lang/bin",
        "opt",
        "proc",
        "dev",
    ):
        (root / name).mkdir(parents=True)
    for name in ("bin", "lib", "lib64"):
        (root / name).symlink_to(f"usr/{name}")
    (root / "tmp").mkdir(mode=0o1777)
    (root / "etc" / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    (root / "etc" / "group").write_text("root:x:0:\n")


def _copy_python(root: Path, python: Path) -> None:
    """The interpreter and its library, and what is installed beside it as the runtime's own packages."""
    ask = "import sys, sysconfig as s; print(sys.base_prefix, s.get_path('purelib'), s.get_config_var('LDLIBRARY'))"
    asked = subprocess.run([python, "-c", ask], check=True, capture_output=True, text=True).stdout.split()
    home, packages, library = Path(asked[0]), Path(asked[1]), asked[2]
    shutil.copy(home / "bin" / "python3.12", root / "var/lang/bin/python3.12")
    left_out = shutil.ignore_patterns(*LEFT_OUT)
    shutil.copytree(home / "lib" / "python3.12", root / "var/lang/lib/python3.12", ignore=left_out, symlinks=True)
    for path in (home / "lib").glob(f"{library.removesuffix('.so')}.so*"):
        shutil.copy(path, root / "var/lang/lib" / path.name)
    shutil.copytree(packages, root / "var/runtime", ignore=shutil.ignore_patterns("pip", "pip-*", "__pycache__"))


def _copy_libraries(root: Path) -> None:
    """The shared libraries of every program and extension, at the paths where the loader looks for them."""
    binaries = [*(root / "usr/bin").iterdir(), root / "var/lang/bin/python3.12", *(root / "var").rglob("*.so*")]
    found: set[str] = set()
    for binary in binaries:
        listed = subprocess.run(["ldd", binary], check=False, capture_output=True, text=True).stdout
        found |= set(re.findall(r"(?:=> |^\s*)(/\S+) \(0x", listed, flags=re.MULTILINE))
    listed = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    known = re.findall(r"^\s*(\S+)\.so\.\S+ \(libc6,[^)]*64\b[^)]*\) => (\S+)", listed, flags=re.MULTILINE)
    found |= {path for name, path in known if name in SYSTEM}
    for library in found:
        target = root / "usr" / library.removeprefix("/").removeprefix("usr/")
        if library.startswith(("/lib", "/usr/lib")) and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, target)


def _write_scripts(root: Path) -> None:
    for path, text in ((root / "var/runtime/bootstrap", BOOTSTRAP), (root / "lambda-entrypoint.sh", ENTRYPOINT)):
        path.write_text(text)
        path.chmod(0o755)
