"""Who reaches what in a tenant."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Optional, cast

from .._circle_check import CircleCheck
from .._memory_documents import given, versioned
from ..documents import (
    CountedScope,
    CredentialSpecRequest,
    KnownSubject,
    ReachedScope,
    Scope,
    ScopeHolder,
    Subject,
)
from ..errors import AgentkeepError
from ._calls import Calls


class AsyncAccess:
    """Scopes, subjects, and who reaches what; needs the capability ``credential_admin``."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def scopes(self) -> AsyncIterator[CountedScope]:
        """Yields every scope in which something was stored, with counts and the last change."""
        async for item in self._parameters("listScopes"):
            yield cast(CountedScope, item)

    async def subjects(self) -> AsyncIterator[KnownSubject]:
        """Yields every subject that has a credential, a private scope or limits."""
        async for item in self._parameters("listKnownSubjects"):
            yield cast(KnownSubject, item)

    async def pause(self, subject_id: str, reason: Optional[str] = None) -> Subject:
        """Blocks an agent or a person until it is resumed, and keeps its limits.

        For a person who was invited it is the username. The reason is for administrators, up to
        256 bytes. A change in between is ``revision_conflict``.
        """
        try:
            known = await self._subject(subject_id)
        except AgentkeepError as error:
            if error.code != "subject_not_found":
                raise
            return await self._block(subject_id, {"expected_revision": 0}, True, reason)
        return await self._block(subject_id, _limits(known), True, reason)

    async def resume(self, subject_id: str) -> Subject:
        """Unblocks an agent or a person, and keeps its limits. Does nothing where none is blocked.

        A subject of which nothing is stored is ``subject_not_found``.
        """
        known = await self._subject(subject_id)
        if not known["is_blocked"]:
            return known
        return await self._block(subject_id, _limits(known), False, None)

    async def _subject(self, subject_id: str) -> Subject:
        return cast(Subject, (await self._calls.call("getSubject", id=subject_id))["subject"])

    async def _block(
        self, subject_id: str, limits: Dict[str, Any], is_blocked: bool, reason: Optional[str]
    ) -> Subject:
        document = versioned({**limits, "is_blocked": is_blocked, "reason": reason})
        answer = await self._calls.call("putSubject", id=subject_id, document=document)
        return cast(Subject, answer["subject"])

    async def holders(
        self, scope: Scope, *, subject_id: Optional[str] = None
    ) -> AsyncIterator[ScopeHolder]:
        """Yields the live credentials that can reach a scope, or that of one subject."""
        wanted = given({"scope": scope, "subject_id": subject_id})
        async for item in self._documents("listScopeHolders", wanted):
            yield cast(ScopeHolder, item)

    async def reach(
        self,
        *,
        subject_id: Optional[str] = None,
        spec: Optional[CredentialSpecRequest] = None,
    ) -> AsyncIterator[ReachedScope]:
        """Yields the scopes that a subject reaches, or that a credential with this spec would."""
        wanted = given({"subject_id": subject_id, "spec": spec})
        async for item in self._documents("previewReach", wanted):
            yield cast(ReachedScope, item)

    async def _parameters(self, operation: str) -> AsyncIterator[Any]:
        circle = CircleCheck()
        cursor: Optional[str] = None
        while True:
            parameters = versioned(given({"cursor": cursor}))
            page = (await self._calls.call(operation, parameters=parameters))["page"]
            for item in page["items"]:
                yield item
            cursor = circle.passed(page["next_cursor"])
            if cursor is None:
                return

    async def _documents(self, operation: str, wanted: Dict[str, Any]) -> AsyncIterator[Any]:
        circle = CircleCheck()
        cursor: Optional[str] = None
        while True:
            document = versioned({**wanted, **given({"cursor": cursor})})
            page = (await self._calls.call(operation, document=document))["page"]
            for item in page["items"]:
                yield item
            cursor = circle.passed(page["next_cursor"])
            if cursor is None:
                return


def _limits(subject: Subject) -> Dict[str, Any]:
    return {
        "expected_revision": subject["revision"],
        "capabilities": subject["capabilities"],
        "scope_policy": subject["scope_policy"],
    }
