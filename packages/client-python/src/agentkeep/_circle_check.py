"""Cursors that lead in a circle."""

from __future__ import annotations

import json
from typing import Optional, TypeVar

from .errors import AgentkeepError, error_of

_Cursor = TypeVar("_Cursor")


class CircleCheck:
    """Notices cursors that lead in a circle.

    It remembers one cursor: after each doubling of the number of pages the newest (Brent's
    algorithm).
    """

    def __init__(self) -> None:
        self._remembered: Optional[str] = None
        self._passed = 0
        self._limit = 1

    def passed(self, cursor: _Cursor) -> _Cursor:
        """Returns the cursor of the next page; raises ``unexpected_answer`` if it came before."""
        text = json.dumps(cursor, sort_keys=True)
        if cursor is not None and text == self._remembered:
            raise repeated_cursor()
        self._passed += 1
        if self._passed >= self._limit:
            self._remembered = text
            self._passed = 0
            self._limit *= 2
        return cursor


def repeated_cursor() -> AgentkeepError:
    """The error of a server that repeats a cursor."""
    return error_of(
        "unexpected_answer",
        "The server answered with a cursor that it gave before, so its pages have no end. "
        "Tell its operator.",
    )
