"""Branches of memory."""

from __future__ import annotations

import uuid
from typing import Any, AsyncIterator, Dict, Optional, Sequence, cast

from .._memory_documents import given, versioned
from ..documents import (
    BranchDifference,
    BranchesPage,
    DifferencesResponse,
    MemoryBranch,
    MemoryMerge,
    Scope,
)
from ._calls import Calls


class AsyncBranches:
    """Makes, shows and ends branches. Name one in a scope, as ``branch``, to work in it."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def create(
        self,
        name: str,
        scopes: Sequence[Scope],
        *,
        cursor: Optional[str] = None,
        expires_in_seconds: Optional[int] = None,
        purpose: Optional[str] = None,
    ) -> MemoryBranch:
        """Makes a branch over 1 to 16 scopes as they are, or as they were at a cursor of the feed.

        Raises ``revision_conflict`` where the subject has a live branch of that name.
        """
        members = {
            "name": name,
            "scopes": list(scopes),
            "as_of": None if cursor is None else {"cursor": cursor},
            "expires_in_seconds": expires_in_seconds,
            "purpose": purpose,
        }
        answer = await self._calls.call("createMemoryBranch", document=versioned(given(members)))
        return cast(MemoryBranch, answer["branch"])

    async def get(self, id: str) -> MemoryBranch:
        """Shows a live branch."""
        answer = await self._calls.call("getMemoryBranch", id=id, parameters=versioned({}))
        return cast(MemoryBranch, answer["branch"])

    async def list_page(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> BranchesPage:
        """Returns one page of the live branches that the caller may read."""
        parameters = versioned(given({"limit": limit, "cursor": cursor}))
        answer = await self._calls.call("listMemoryBranches", parameters=parameters)
        return cast(BranchesPage, answer["page"])

    async def list(self) -> AsyncIterator[MemoryBranch]:
        """Yields the live branches that the caller may read, the oldest first."""
        cursor: Optional[str] = None
        while True:
            page = await self.list_page(cursor=cursor)
            for branch in page["items"]:
                yield branch
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def diff_page(
        self, id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> DifferencesResponse:
        """Returns one page of what a branch changed, with the digest of the branch."""
        parameters = versioned(given({"limit": limit, "cursor": cursor}))
        answer = await self._calls.call("compareMemoryBranch", id=id, parameters=parameters)
        return cast(DifferencesResponse, answer)

    async def diff(self, id: str) -> AsyncIterator[BranchDifference]:
        """Yields what a branch changed, scope by scope, in the order of record ids."""
        cursor: Optional[str] = None
        while True:
            page = (await self.diff_page(id, cursor=cursor))["page"]
            for difference in page["items"]:
                yield difference
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def merge(
        self,
        id: str,
        *,
        digest: str,
        records: Optional[Sequence[str]] = None,
        dry_run: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> MemoryMerge:
        """Merges what a branch changed, all of it or some records.

        Its ``state`` is ``merged``, or ``conflicts``: then the records listed have changed outside,
        and of up to 256 records none was merged. Raises ``revision_conflict`` where the branch was
        written to since the digest.
        """
        members: Dict[str, Any] = {
            "idempotency_key": idempotency_key or str(uuid.uuid4()),
            "digest": digest,
            "records": None if records is None else list(records),
            "dry_run": dry_run,
        }
        while True:
            answer = await self._calls.call(
                "mergeMemoryBranch", id=id, document=versioned(members)
            )
            merge = cast(MemoryMerge, answer["merge"])
            if merge["state"] != "running":
                return merge

    async def drop(self, id: str) -> None:
        """Ends a branch, with everything in it."""
        await self._calls.call("dropMemoryBranch", id=id, parameters=versioned({}))
