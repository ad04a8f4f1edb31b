"""Attempts and their observations."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Optional, cast

from .._circle_check import CircleCheck
from .._memory_documents import given, versioned
from ..documents import (
    Experience,
    ExperienceCommand,
    ExperienceEvent,
    ExperienceHistoryCursorOutput,
    ExperienceHistoryPage,
    ExperienceReceipt,
    ExperienceRequest,
    ExperiencesPage,
    Scope,
)
from ._calls import Calls

_HISTORY_LIMIT_MAX = 64


class AsyncExperiences:
    """Registers and reads attempts. It executes nothing, and a report alone qualifies nothing."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def register(self, scope: Scope, request: ExperienceRequest) -> ExperienceReceipt:
        """Registers an attempt. A repeat returns the original receipt."""
        document = versioned({"scope": scope, "request": request})
        answer = await self._calls.call("registerExperience", document=document)
        return cast(ExperienceReceipt, answer["receipt"])

    async def read(self, scope: Scope, attempt_id: str) -> Experience:
        """Returns the current state of an attempt."""
        document = versioned({"scope": scope, "attempt_id": attempt_id})
        answer = await self._calls.call("readExperience", document=document)
        return cast(Experience, answer["experience"])

    async def observe(
        self, scope: Scope, attempt_id: str, command: ExperienceCommand
    ) -> ExperienceEvent:
        """Records an observation. Only for the reporter of the attempt."""
        members = {"scope": scope, "attempt_id": attempt_id, "command": command}
        answer = await self._calls.call("recordExperienceEvent", document=versioned(members))
        return cast(ExperienceEvent, answer["event"])

    async def read_event(self, scope: Scope, attempt_id: str, event_id: str) -> ExperienceEvent:
        """Returns one observation."""
        document = versioned({"scope": scope, "attempt_id": attempt_id, "event_id": event_id})
        answer = await self._calls.call("readExperienceEvent", document=document)
        return cast(ExperienceEvent, answer["event"])

    async def history_page(
        self,
        scope: Scope,
        attempt_id: str,
        *,
        limit: int = _HISTORY_LIMIT_MAX,
        cursor: Optional[ExperienceHistoryCursorOutput] = None,
    ) -> ExperienceHistoryPage:
        """Returns one page of a history; go on with ``next_cursor``, even after an empty page."""
        query: Dict[str, Any] = {"limit": limit, "cursor": cursor}
        members = {"scope": scope, "attempt_id": attempt_id, "query": query}
        answer = await self._calls.call("readExperienceHistory", document=versioned(members))
        return cast(ExperienceHistoryPage, answer["page"])

    async def history(
        self, scope: Scope, attempt_id: str, *, limit: int = _HISTORY_LIMIT_MAX
    ) -> AsyncIterator[ExperienceEvent]:
        """Yields every observation up to now, a page at a time."""
        cursor: Optional[ExperienceHistoryCursorOutput] = None
        circle = CircleCheck()
        while True:
            page = await self.history_page(scope, attempt_id, limit=limit, cursor=cursor)
            for event in page["events"]:
                yield event
            cursor = circle.passed(page["next_cursor"])
            if cursor is None:
                return

    async def list_page(
        self,
        scope: Scope,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ExperiencesPage:
        """Returns one page of the attempts of a scope, with where each stands."""
        members = {"scope": scope, "limit": limit, "cursor": cursor}
        answer = await self._calls.call("listExperiences", document=versioned(given(members)))
        return cast(ExperiencesPage, answer["page"])

    async def list(
        self, scope: Scope, *, limit: Optional[int] = None
    ) -> AsyncIterator[Experience]:
        """Yields the attempts of a scope, with where each stands, in a fixed order that isn't of time."""
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(scope, limit=limit, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return
