"""Proposals of memory, and their review."""

from __future__ import annotations

import uuid
from typing import Any, AsyncIterator, Dict, Optional, cast

from .._memory_documents import given, versioned
from ..documents import MemoryOperation, MemoryProposal, MemoryProposalsPage, Receipt, Scope
from ._calls import Calls


class AsyncProposals:
    """Proposes changes, and reviews those of others.

    ``branches.diff(id)`` shows what a proposal changes, and ``branches.merge(id)`` merges it.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def propose(
        self,
        scope: Scope,
        operation: MemoryOperation,
        *,
        purpose: Optional[str] = None,
        expires_in_seconds: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Proposes a change of a shared scope.

        The receipt has the proposal, and the id that the record keeps when it is merged.
        """
        members: Dict[str, Any] = {
            "idempotency_key": idempotency_key or str(uuid.uuid4()),
            "scope": scope,
            "operation": operation,
            "purpose": purpose,
            "expires_in_seconds": expires_in_seconds,
        }
        answer = await self._calls.call("proposeMemory", document=versioned(given(members)))
        return cast(Receipt, answer["receipt"])

    async def submit(self, branch_id: str, *, purpose: Optional[str] = None) -> MemoryProposal:
        """Submits a branch that the caller made: it takes no more commands, and waits."""
        document = versioned(given({"purpose": purpose}))
        answer = await self._calls.call("proposeMemoryBranch", id=branch_id, document=document)
        return cast(MemoryProposal, answer["proposal"])

    async def list_page(
        self,
        *,
        state: Optional[str] = None,
        id: Optional[str] = None,
        scope: Optional[Scope] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> MemoryProposalsPage:
        """Returns one page of the proposals that the caller may read; by default those that wait.

        With `id`, it has only the proposal with this id, whatever its state.
        """
        members: Dict[str, Any] = {
            **(scope or {}),
            "state": state,
            "proposal_id": id,
            "limit": limit,
            "cursor": cursor,
        }
        parameters = versioned(given(members))
        answer = await self._calls.call("listMemoryProposals", parameters=parameters)
        return cast(MemoryProposalsPage, answer["page"])

    async def list(
        self,
        *,
        state: Optional[str] = None,
        scope: Optional[Scope] = None,
        limit: Optional[int] = None,
    ) -> AsyncIterator[MemoryProposal]:
        """Yields the proposals that the caller may read, the oldest first."""
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(state=state, scope=scope, limit=limit, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def reject(self, id: str, reason: str) -> MemoryProposal:
        """Rejects a proposal of another subject. What it changed is removed."""
        document = versioned({"reason": reason})
        answer = await self._calls.call("rejectMemoryProposal", id=id, document=document)
        return cast(MemoryProposal, answer["proposal"])

    async def withdraw_all(self, subject_id: str) -> int:
        """Withdraws all proposals of a subject that wait; returns how many. For administrators.

        Those that it made as a service for others are withdrawn too.
        """
        document = versioned({"subject_id": subject_id})
        answer = await self._calls.call("withdrawMemoryProposals", document=document)
        return cast(int, answer["withdrawn"])
