"""The memory of an agent in one scope."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import (
    Any,
    AsyncIterator,
    Dict,
    Iterable,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Union,
    cast,
    overload,
)

from .._consolidation import Consolidation, name_of
from .._memory_documents import AnyScope, Batcher, given, record_of_text, versioned
from ..documents import (
    BatchCommand,
    BatchReceipt,
    Dependent,
    Dependents,
    MemoryOperation,
    MemoryRecord,
    Receipt,
    RecordInput,
    RecordSource,
    SourceRevision,
    SupersededRecord,
    TracePage,
)
from ._consolidate import Propose, consolidate
from ._facts import AsyncFacts
from ._spaces import AsyncSpaces


class AsyncScopedMemory(AsyncFacts):
    """The memory of an agent. ``agent.memory`` has no scope until ``in_()`` names one.

    ``idempotency_key`` names the intent of a command: a repeat with the same key changes nothing
    and returns the first receipt. Without it, each call makes one, which all its tries share.
    """

    def in_(self, scope: AnyScope, *, branch: Optional[str] = None) -> AsyncScopedMemory:
        """Returns the memory of the agent in another scope, or in a branch over it."""
        named = cast(AnyScope, {**cast(Dict[str, Any], scope), **given({"branch": branch})})
        return AsyncScopedMemory(self._calls, named)

    async def remember(
        self,
        text: str,
        *,
        name: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        at: Optional[datetime] = None,
        source: Optional[RecordSource] = None,
        derived_from: Optional[Sequence[SourceRevision]] = None,
        supersedes: Optional[Sequence[SupersededRecord]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Stores a text, or replaces the one that has its ``name``.

        ``at`` is when it happened; without it, when it is stored. ``derived_from`` names up to 32
        revisions that you may read. ``supersedes`` names up to 8 records of the scope, each at its
        current revision, that no longer hold from now on.
        """
        record = record_of_text(text, tags=tags, metadata=metadata, at=at)
        if source is not None:
            record["source"] = source
        if derived_from is not None:
            record["derived_from"] = list(derived_from)
        if supersedes is not None:
            record["supersedes"] = list(supersedes)
        if name is None:
            return await self.create(record, idempotency_key=idempotency_key)
        return await self.put(name, record, idempotency_key=idempotency_key)

    @property
    def spaces(self) -> AsyncSpaces:
        """The embedding spaces of the scope, one for each model."""
        return AsyncSpaces(self._calls, self.scope)

    async def create(
        self, record: RecordInput, *, idempotency_key: Optional[str] = None
    ) -> Receipt:
        """Creates a record."""
        return await self._execute({"type": "create", "record": record}, idempotency_key)

    async def update(
        self,
        record_id: str,
        record: RecordInput,
        *,
        expected_revision: int,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Replaces the payload of a record."""
        operation = {
            "type": "update",
            "record_id": record_id,
            "expected_revision": expected_revision,
            "record": record,
        }
        return await self._execute(operation, idempotency_key)

    @overload
    async def delete(
        self,
        record_id: str,
        *,
        expected_revision: int,
        dependents: Optional[Dependents] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt: ...

    @overload
    async def delete(
        self,
        *,
        name: str,
        expected_revision: Optional[int] = None,
        dependents: Optional[Dependents] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt: ...

    async def delete(
        self,
        record_id: Optional[str] = None,
        *,
        name: Optional[str] = None,
        expected_revision: Optional[int] = None,
        dependents: Optional[Dependents] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Deletes a record for good, by its id or ``name``; a name is free again then.

        ``dependents`` says what to do about records that were derived from it: ``report`` finds
        them, ``cascade`` deletes or redacts them too; ``dependents()`` does the work. Raises
        ``record_not_found`` when there is no such record.
        """
        kind = "delete" if name is None else "remove"
        target = {
            "record_id": record_id,
            "name": name,
            "expected_revision": expected_revision,
            "dependents": dependents,
        }
        return await self._execute({"type": kind, **given(target)}, idempotency_key)

    async def dependents(self, receipt: Receipt) -> AsyncIterator[Dependent]:
        """Yields what was derived from a record that was deleted or redacted with ``dependents``.

        With ``cascade`` it was deleted or redacted by then. If it is cut off, call it again with
        the same receipt: it goes on.
        """
        cursor: Optional[str] = None
        while True:
            members = {
                "scope": self.scope,
                "revision": receipt["revision"],
                **given({"cursor": cursor}),
            }
            answer = await self._calls.call(
                "traceMemoryDependents", id=receipt["record_id"], document=versioned(members)
            )
            page = cast(TracePage, answer["page"])
            for dependent in page["dependents"]:
                yield dependent
            if page["state"] == "finished" and page["next_cursor"] is None:
                return
            cursor = page["next_cursor"] or cursor

    async def put(
        self,
        name: str,
        record: RecordInput,
        *,
        expected_revision: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Creates the record of a name, or replaces its payload.

        An ``expected_revision`` of 0 requires that there is no record of the name. Raises
        ``revision_conflict`` when it isn't at the expected revision.
        """
        operation = {
            "type": "put",
            "name": name,
            "record": record,
            **given({"expected_revision": expected_revision}),
        }
        return await self._execute(operation, idempotency_key)

    async def restore(
        self,
        record_id: str,
        *,
        revision: int,
        expected_revision: int,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Gives a record a new revision with the payload of an old one."""
        operation = {
            "type": "restore",
            "record_id": record_id,
            "expected_revision": expected_revision,
            "revision": revision,
        }
        return await self._execute(operation, idempotency_key)

    async def redact(
        self,
        record_id: str,
        *,
        revision: int,
        dependents: Optional[Dependents] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Takes the payload of an old revision away for good; ``dependents`` as for ``delete``."""
        operation = {
            "type": "redact",
            "record_id": record_id,
            "revision": revision,
            **given({"dependents": dependents}),
        }
        return await self._execute(operation, idempotency_key)

    async def batch(
        self,
        changes: Sequence[Union[MemoryOperation, BatchCommand]],
        *,
        idempotency_key: Optional[str] = None,
        propose: bool = False,
    ) -> BatchReceipt:
        """Executes 1 to 256 changes in their order, all or none.

        ``{"scope": ..., "operation": ...}`` is a change in another scope. With ``propose`` they
        are one proposal, which waits for review.
        """
        commands = [
            change
            if "operation" in change
            else cast(BatchCommand, {"scope": self.scope, "operation": change})
            for change in changes
        ]
        members: Dict[str, Any] = {"idempotency_key": _key(idempotency_key), "commands": commands}
        if propose:
            members["propose"] = True
        answer = await self._calls.call("executeMemoryBatch", document=versioned(members))
        return cast(BatchReceipt, answer["receipt"])

    async def create_many(
        self,
        records: Iterable[RecordInput],
        *,
        idempotency_key: Optional[str] = None,
    ) -> AsyncIterator[BatchReceipt]:
        """Creates any number of records in batches, and yields the receipt of each.

        ``idempotency_key`` names the whole work: to go on after a failure, call it again with the
        same key and the same records.
        """
        key = _key(idempotency_key)
        batcher = Batcher(self.scope)
        number = 0
        for record in records:
            for commands in batcher.add(record):
                number += 1
                yield await self.batch(commands, idempotency_key=f"{key}/{number}")
        for commands in batcher.rest():
            number += 1
            yield await self.batch(commands, idempotency_key=f"{key}/{number}")

    async def consolidate(
        self,
        propose: Propose,
        *,
        name: Optional[str] = None,
        limit: int = 32,
        lease_seconds: int = 300,
        into: Literal["memory", "review"] = "memory",
    ) -> Consolidation:
        """Gives what changed in the scope since the last run to ``propose``, in pages of up to 32.

        The up to 256 changes that it returns for a page are written all or none, once, with
        ``source`` and ``derived_from`` where they state none. It may be killed at any time and
        called again. With ``into="review"`` each page is one proposal, which waits for another
        subject. Raises ``consumer_held`` while another worker runs.
        """
        own = name_of(self.scope) if name is None else name
        return await consolidate(
            self,
            propose,
            name=own,
            limit=limit,
            lease_seconds=lease_seconds,
            is_proposed=into == "review",
        )

    async def _execute(
        self, operation: Dict[str, Any], idempotency_key: Optional[str]
    ) -> Receipt:
        members = {
            "idempotency_key": _key(idempotency_key),
            "scope": self.scope,
            "operation": operation,
        }
        answer = await self._calls.call("executeMemoryCommand", document=versioned(members))
        return cast(Receipt, answer["receipt"])


def _key(idempotency_key: Optional[str]) -> str:
    return str(uuid.uuid4()) if idempotency_key is None else idempotency_key
