"""Tools and their development."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Optional, cast

from .._memory_documents import given, versioned
from ..documents import (
    Scope,
    ToolArtifact,
    ToolArtifactProposal,
    ToolArtifactsPage,
    ToolDevelopment,
    ToolDevelopmentEvent,
    ToolDevelopmentEventsPage,
    ToolDevelopmentReceipt,
    ToolDevelopmentReport,
    ToolDevelopmentRequest,
    ToolDevelopmentsPage,
    ToolExecutor,
    ToolExecutorProfile,
)
from ._calls import Calls


class AsyncTools:
    """Executors, artifacts and developments. Agentkeep records tools and never executes them."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def register_executor(self, profile: ToolExecutorProfile) -> ToolExecutor:
        """Registers an executor of the tenant. The same profile again returns the original."""
        document = versioned({"profile": profile})
        answer = await self._calls.call("registerToolExecutor", document=document)
        return cast(ToolExecutor, answer["executor"])

    async def read_executor(self, id: str) -> ToolExecutor:
        """Returns an executor of the tenant."""
        answer = await self._calls.call("readToolExecutor", id=id)
        return cast(ToolExecutor, answer["executor"])

    async def register_artifact(
        self, scope: Scope, artifact: ToolArtifactProposal
    ) -> ToolArtifact:
        """Registers an artifact. The same proposal again returns the original."""
        document = versioned({"scope": scope, "artifact": artifact})
        answer = await self._calls.call("registerToolArtifact", document=document)
        return cast(ToolArtifact, answer["artifact"])

    async def read_artifact(self, scope: Scope, artifact_id: str) -> ToolArtifact:
        """Returns an artifact."""
        document = versioned({"scope": scope, "artifact_id": artifact_id})
        answer = await self._calls.call("readToolArtifact", document=document)
        return cast(ToolArtifact, answer["artifact"])

    async def request_development(
        self, scope: Scope, request: ToolDevelopmentRequest
    ) -> ToolDevelopmentReceipt:
        """Requests a development. A repeat returns the original receipt."""
        document = versioned({"scope": scope, "request": request})
        answer = await self._calls.call("requestToolDevelopment", document=document)
        return cast(ToolDevelopmentReceipt, answer["receipt"])

    async def read_development(self, scope: Scope, request_id: str) -> ToolDevelopment:
        """Returns the current state of a development."""
        document = versioned({"scope": scope, "request_id": request_id})
        answer = await self._calls.call("readToolDevelopment", document=document)
        return cast(ToolDevelopment, answer["development"])

    async def report(
        self,
        scope: Scope,
        request_id: str,
        report: ToolDevelopmentReport,
        *,
        event_id: str,
        expected_revision: int,
    ) -> ToolDevelopmentEvent:
        """Reports on a development. Only for the subject of its executor."""
        action = {"type": "report", "report": report}
        return await self._record(scope, request_id, action, event_id, expected_revision)

    async def request_cancellation(
        self,
        scope: Scope,
        request_id: str,
        reason: str,
        *,
        event_id: str,
        expected_revision: int,
    ) -> ToolDevelopmentEvent:
        """Requests the cancellation of a development. Only for its requester."""
        action = {"type": "request_cancellation", "reason": reason}
        return await self._record(scope, request_id, action, event_id, expected_revision)

    async def read_development_event(
        self, scope: Scope, request_id: str, event_id: str
    ) -> ToolDevelopmentEvent:
        """Returns an event of a development."""
        document = versioned({"scope": scope, "request_id": request_id, "event_id": event_id})
        answer = await self._calls.call("readToolDevelopmentEvent", document=document)
        return cast(ToolDevelopmentEvent, answer["event"])

    async def _record(
        self,
        scope: Scope,
        request_id: str,
        action: Dict[str, Any],
        event_id: str,
        expected_revision: int,
    ) -> ToolDevelopmentEvent:
        command = {
            "event_id": event_id,
            "expected_revision": expected_revision,
            "action": action,
        }
        members = {"scope": scope, "request_id": request_id, "command": command}
        answer = await self._calls.call("recordToolDevelopmentEvent", document=versioned(members))
        return cast(ToolDevelopmentEvent, answer["event"])

    async def artifacts_page(
        self,
        scope: Scope,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ToolArtifactsPage:
        """Returns one page of the tools of a scope."""
        members = {"scope": scope, "limit": limit, "cursor": cursor}
        answer = await self._calls.call("listToolArtifacts", document=versioned(given(members)))
        return cast(ToolArtifactsPage, answer["page"])

    async def artifacts(
        self, scope: Scope, *, limit: Optional[int] = None
    ) -> AsyncIterator[ToolArtifact]:
        """Yields the tools of a scope, in a fixed order that isn't of time."""
        cursor: Optional[str] = None
        while True:
            page = await self.artifacts_page(scope, limit=limit, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def developments_page(
        self,
        scope: Scope,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ToolDevelopmentsPage:
        """Returns one page of the developments of tools of a scope."""
        members = {"scope": scope, "limit": limit, "cursor": cursor}
        answer = await self._calls.call("listToolDevelopments", document=versioned(given(members)))
        return cast(ToolDevelopmentsPage, answer["page"])

    async def developments(
        self, scope: Scope, *, limit: Optional[int] = None
    ) -> AsyncIterator[ToolDevelopment]:
        """Yields the developments of tools of a scope, in a fixed order that isn't of time."""
        cursor: Optional[str] = None
        while True:
            page = await self.developments_page(scope, limit=limit, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def development_events_page(
        self,
        scope: Scope,
        request_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ToolDevelopmentEventsPage:
        """Returns one page of the events of a development."""
        members = {"scope": scope, "request_id": request_id, "limit": limit, "cursor": cursor}
        document = versioned(given(members))
        answer = await self._calls.call("listToolDevelopmentEvents", document=document)
        return cast(ToolDevelopmentEventsPage, answer["page"])

    async def development_events(
        self, scope: Scope, request_id: str, *, limit: Optional[int] = None
    ) -> AsyncIterator[ToolDevelopmentEvent]:
        """Yields the events of a development, in a fixed order that isn't of time."""
        cursor: Optional[str] = None
        while True:
            page = await self.development_events_page(
                scope, request_id, limit=limit, cursor=cursor
            )
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return
