"""A file that keeps a secret between runs of a program; only its user may read it."""

from __future__ import annotations

import os
import uuid
from typing import Optional, Union

from .errors import AgentkeepError, RefusedMember, error_of

Path = Union[str, "os.PathLike[str]"]


def kept_secret(path: Path) -> Optional[str]:
    """Returns the secret in a file, or ``None`` if there is no file."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except FileNotFoundError:
        return None
    except OSError as cause:
        raise _refused("cannot be read", cause) from cause


class SecretDraft:
    """A file beside that of a secret, made before the secret is asked for."""

    def __init__(self, path: Path) -> None:
        self._path = os.fspath(path)
        self._draft = f"{self._path}.{uuid.uuid4()}"
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            self._file = os.fdopen(os.open(self._draft, flags, 0o600), "w", encoding="utf-8")
        except OSError as cause:
            raise _refused("cannot be made, and nothing was sent", cause) from cause

    def keep(self, secret: str, *, may_replace: bool) -> bool:
        """Gives the file its name. Returns false where another process was first."""
        self._file.write(secret + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        if may_replace:
            os.replace(self._draft, self._path)
            return True
        try:
            os.link(self._draft, self._path)
        except FileExistsError:
            return False
        return True

    def close(self) -> None:
        """Removes what has no name."""
        self._file.close()
        try:
            os.unlink(self._draft)
        except FileNotFoundError:
            pass


def _refused(what: str, cause: OSError) -> AgentkeepError:
    expected = "a file that can be read and made"
    message = f"agent_for(): `secret_file` {what} ({cause.strerror})."
    return error_of(
        "invalid_request", message, members=[RefusedMember("secret_file", expected)]
    )
