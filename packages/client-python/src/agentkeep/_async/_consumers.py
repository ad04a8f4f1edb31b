"""Positions in the changes of memory that the server keeps under names."""

from __future__ import annotations

import uuid
from typing import AsyncIterator, List, Literal, Optional, cast

from .._memory_documents import given, versioned
from ..documents import Consumer, ConsumerPageResponse, Scope
from ..errors import AgentkeepError
from ._calls import Calls

#: How long one call waits for changes.
_WAIT_MILLIS = 30_000


class AsyncConsumerWorker:
    """A worker of a consumer: one worker at a time goes on, and none repeats."""

    def __init__(
        self,
        calls: Calls,
        name: str,
        *,
        scope: Optional[Scope],
        holder: Optional[str],
        lease_seconds: Optional[int],
        start: Optional[Literal["oldest", "latest"]],
    ) -> None:
        self.name = name
        self.holder = str(uuid.uuid4()) if holder is None else holder
        self._calls = calls
        self._scope = scope
        self._lease = given({"lease_seconds": lease_seconds})
        self._start = start

    async def pages(
        self, *, limit: Optional[int] = None, wait: bool = False
    ) -> AsyncIterator[ConsumerPageResponse]:
        """Yields the pages that are left. A page is committed when the next one is asked for.

        A loop that is left or that raises leaves its page to the next worker, with the same
        ``page_id``. The consumer is claimed first and released at the end. Raises
        ``consumer_held`` while another worker holds it.
        """
        await self.claim()
        try:
            while True:
                answer = await self.read(limit=limit, wait_millis=_WAIT_MILLIS if wait else 0)
                page = answer["page"]
                if page["changes"]:
                    yield answer
                await self.commit(page["next_after"])
                if not wait and not page["has_more"]:
                    return
        finally:
            try:
                await self.release()
            except AgentkeepError:
                # The lease ends by itself.
                pass

    async def claim(self, *, restart: bool = False) -> Consumer:
        """Claims the consumer, makes it if there is none, or renews the lease."""
        members = {"scope": self._scope, "start": self._start, "restart": restart}
        document = versioned({"holder": self.holder, **self._lease, **members})
        answer = await self._calls.call("claimConsumer", id=self.name, document=document)
        return cast(Consumer, answer["consumer"])

    async def read(
        self, *, limit: Optional[int] = None, wait_millis: Optional[int] = None
    ) -> ConsumerPageResponse:
        """Reads the next page; the same one until a position is committed."""
        members = {"holder": self.holder, "limit": limit, "wait_millis": wait_millis}
        answer = await self._calls.call(
            "readConsumer", id=self.name, document=versioned(members)
        )
        return cast(ConsumerPageResponse, answer)

    async def commit(self, cursor: str) -> Consumer:
        """Moves the consumer on to a cursor of a page, and renews the lease."""
        document = versioned({"holder": self.holder, **self._lease, "cursor": cursor})
        answer = await self._calls.call("commitConsumer", id=self.name, document=document)
        return cast(Consumer, answer["consumer"])

    async def release(self) -> Consumer:
        """Lets another worker claim the consumer at once."""
        document = versioned({"holder": self.holder})
        answer = await self._calls.call("releaseConsumer", id=self.name, document=document)
        return cast(Consumer, answer["consumer"])


class AsyncConsumers:
    """Opens, lists and deletes the consumers of the subject."""

    def __init__(self, calls: Calls, scope: Optional[Scope]) -> None:
        self._calls = calls
        self._scope = scope

    def open(
        self,
        name: str,
        *,
        holder: Optional[str] = None,
        lease_seconds: Optional[int] = None,
        start: Optional[Literal["oldest", "latest"]] = None,
    ) -> AsyncConsumerWorker:
        """Returns a worker of the consumer with a name. Its first claim makes the consumer.

        ``start`` says where a new one begins: with the ``oldest`` change, or after the ``latest``.
        """
        return AsyncConsumerWorker(
            self._calls,
            name,
            scope=self._scope,
            holder=holder,
            lease_seconds=lease_seconds,
            start=start,
        )

    async def list(self) -> List[Consumer]:
        """Returns the consumers of the subject, by name."""
        answer = await self._calls.call("listConsumers", parameters=versioned({}))
        return cast(List[Consumer], answer["consumers"])

    async def delete(self, name: str) -> None:
        """Deletes a consumer with its position. Raises ``not_found`` when there is none."""
        await self._calls.call("deleteConsumer", id=name, parameters=versioned({}))
