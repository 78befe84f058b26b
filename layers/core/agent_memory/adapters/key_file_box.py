"""SecretBox of the embedded server: AES-256-GCM under a key in a file that only its owner reads."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.errors import ServiceUnavailable

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
NONCE_BYTES = 12  # what GCM takes as it is; random ones stay apart for 2^32 secrets (NIST SP 800-38D, 8.3)
VERSION = b"\x01"
OTHERS = stat.S_IRWXG | stat.S_IRWXO


class KeyFileBox:
    """The key lies in the file `path`, 64 hex digits; the first secret to be sealed makes it.

    Raises ServiceUnavailable for a file that others may read or that holds no key, and for secrets of another key.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._cipher: AESGCM | None = None

    def seal(self, secret: bytes, name: str) -> bytes:
        """Version byte, nonce, ciphertext with its tag; the name is authenticated along."""
        if not self._path.exists():
            make_key_file(self._path)
        nonce = secrets.token_bytes(NONCE_BYTES)
        return VERSION + nonce + self._opened().encrypt(nonce, secret, name.encode())

    def open(self, sealed: bytes, name: str) -> bytes:
        """The secret."""
        from cryptography.exceptions import InvalidTag

        cipher = self._opened()
        nonce, text = sealed[1 : 1 + NONCE_BYTES], sealed[1 + NONCE_BYTES :]
        try:
            if sealed[:1] == VERSION and len(nonce) == NONCE_BYTES:
                return cipher.decrypt(nonce, text, name.encode())
        except InvalidTag:
            pass
        raise ServiceUnavailable(f"a secret was not sealed with the key in {self._path.name}; make a new access key")

    def _opened(self) -> AESGCM:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if self._cipher is None:
            self._cipher = AESGCM(read_key_file(self._path))
        return self._cipher


def make_key_file(path: Path) -> None:
    """A new key, on disk when this returns; where two processes do this at once, both use the first one's."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)  # complete or not there; a rename would take the place of the other process's key
    finally:
        draft.unlink()
    _sync_folder(path.parent)


def read_key_file(path: Path) -> bytes:
    """The 32 bytes of the key. Raises ServiceUnavailable."""
    try:
        with path.open(encoding="ascii") as file:
            # Windows has no such bits; there the folder of the user keeps others out.
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & OTHERS:
                raise ServiceUnavailable(f"{path.name} may be read by other users: chmod 600 it")
            key = bytes.fromhex(file.read(4 * KEY_BYTES))
    except OSError as error:
        raise ServiceUnavailable(f"the key file {path.name} can't be read: {error.strerror}") from error
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ServiceUnavailable(f"{path.name} must hold {2 * KEY_BYTES} hex digits; restore it from a backup")
    return key


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
