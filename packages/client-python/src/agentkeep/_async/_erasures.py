"""What a tenant erases for good."""

from __future__ import annotations

from typing import AsyncIterator, Optional, cast

from .._circle_check import CircleCheck
from .._memory_documents import given, versioned
from ..documents import Erasure, ErasureTarget
from ._calls import Calls


class AsyncErasures:
    """Erasures of subjects and scopes; needs the capability ``credential_admin``."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def start(self, target: ErasureTarget) -> Erasure:
        """Begins to erase a subject or a scope for good. ``get`` says how far it has got."""
        document = versioned({"target": target})
        answer = await self._calls.call("startErasure", document=document)
        return cast(Erasure, answer["erasure"])

    async def get(self, id: str) -> Erasure:
        """Returns an erasure, with its certificate once it is finished."""
        answer = await self._calls.call("getErasure", id=id)
        return cast(Erasure, answer["erasure"])

    async def list(self) -> AsyncIterator[Erasure]:
        """Yields every erasure of the tenant, the oldest first."""
        circle = CircleCheck()
        cursor: Optional[str] = None
        while True:
            parameters = versioned(given({"cursor": cursor}))
            page = (await self._calls.call("listErasures", parameters=parameters))["page"]
            for item in page["items"]:
                yield cast(Erasure, item)
            cursor = circle.passed(page["next_cursor"])
            if cursor is None:
                return
