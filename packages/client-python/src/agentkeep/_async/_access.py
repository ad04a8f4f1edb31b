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
)
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
