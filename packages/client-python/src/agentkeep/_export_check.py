"""Compares the lines of an export with the manifest at its end."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Optional

_HEAD = '{"line":"export"'
_PAGE = '{"line":"page"'
_MANIFEST = '{"line":"manifest"'


class ExportCheck:
    """Follows the lines of one export."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._rest = ""
        self._lines = 0
        self._last = ""
        #: Whether the first line was that of an export, so that a manifest has to follow.
        self.is_whole = False

    def add(self, text: str) -> None:
        """Adds a text, cut anywhere."""
        lines = (self._rest + text).split("\n")
        self._rest = lines.pop()
        for line in lines:
            self._add_line(line)

    def fault(self) -> Optional[str]:
        """Says what is wrong with the lines so far; ``None`` if nothing is."""
        if self._rest:
            self._add_line(self._rest)
        stated = _stated_in(self._last)
        if stated is None:
            return "The export is cut: its manifest is missing."
        if stated == self._hash.hexdigest():
            return None
        return "The export is damaged: its lines differ from the digest in its manifest."

    def _add_line(self, line: str) -> None:
        # A line between two pages of a stream is no part of the export.
        if line.startswith(_PAGE):
            return
        if self._lines == 0:
            self.is_whole = line.startswith(_HEAD)
        # The first line names the installation, and the last one is the manifest.
        if self._lines > 1:
            self._hash.update(f"{self._last}\n".encode())
        self._lines += 1
        self._last = line


def _stated_in(line: str) -> Any:
    if not line.startswith(_MANIFEST):
        return None
    try:
        return json.loads(line).get("sha256")
    except ValueError:
        # It was cut.
        return None
