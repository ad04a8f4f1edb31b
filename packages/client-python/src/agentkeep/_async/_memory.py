"""Scoped memory as an agent uses it."""

from __future__ import annotations

import uuid
from typing import Any, AsyncIterator, Dict, Iterable, Optional, Sequence, cast

from .._memory_documents import Batcher, given, versioned
from ..documents import BatchCommand, BatchReceipt, Receipt, RecordInput, Scope
from ._memory_reads import AsyncMemoryReads
from ._scoped_memory import AsyncScopedMemory


class AsyncMemory(AsyncMemoryReads):
    """The memory of one agent.

    ``idempotency_key`` names the intent of a command: a repeat with the same key changes nothing
    and returns the first receipt. Without it, each call makes one, which all its tries share.
    """

    def in_(self, scope: Scope) -> AsyncScopedMemory:
        """Returns the same memory with the scope given once."""
        return AsyncScopedMemory(self, scope)

    async def create(
        self, scope: Scope, record: RecordInput, *, idempotency_key: Optional[str] = None
    ) -> Receipt:
        """Creates a record."""
        return await self._execute(scope, {"type": "create", "record": record}, idempotency_key)

    async def update(
        self,
        scope: Scope,
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
        return await self._execute(scope, operation, idempotency_key)

    async def delete(
        self,
        scope: Scope,
        record_id: str,
        *,
        expected_revision: int,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Deletes a record for good."""
        target = {"record_id": record_id, "expected_revision": expected_revision}
        return await self._execute(scope, {"type": "delete", **target}, idempotency_key)

    async def put(
        self,
        scope: Scope,
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
        return await self._execute(scope, operation, idempotency_key)

    async def remove(
        self,
        scope: Scope,
        name: str,
        *,
        expected_revision: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Deletes the record of a name for good, and frees the name.

        Raises ``record_not_found`` when no record has the name.
        """
        expected = given({"expected_revision": expected_revision})
        return await self._execute(
            scope, {"type": "remove", "name": name, **expected}, idempotency_key
        )

    async def restore(
        self,
        scope: Scope,
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
        return await self._execute(scope, operation, idempotency_key)

    async def redact(
        self,
        scope: Scope,
        record_id: str,
        *,
        revision: int,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Takes the payload of an old revision away for good."""
        operation = {"type": "redact", "record_id": record_id, "revision": revision}
        return await self._execute(scope, operation, idempotency_key)

    async def batch(
        self, commands: Sequence[BatchCommand], *, idempotency_key: Optional[str] = None
    ) -> BatchReceipt:
        """Executes 1 to 256 commands in their order, all or none; their scopes may differ."""
        members = {"idempotency_key": _key(idempotency_key), "commands": list(commands)}
        answer = await self._calls.call("executeMemoryBatch", document=versioned(members))
        return cast(BatchReceipt, answer["receipt"])

    async def create_many(
        self,
        scope: Scope,
        records: Iterable[RecordInput],
        *,
        idempotency_key: Optional[str] = None,
    ) -> AsyncIterator[BatchReceipt]:
        """Creates any number of records in batches, and yields the receipt of each.

        ``idempotency_key`` names the whole work: to go on after a failure, call it again with the
        same key and the same records.
        """
        key = _key(idempotency_key)
        batcher = Batcher(scope)
        number = 0
        for record in records:
            for commands in batcher.add(record):
                number += 1
                yield await self.batch(commands, idempotency_key=f"{key}/{number}")
        for commands in batcher.rest():
            number += 1
            yield await self.batch(commands, idempotency_key=f"{key}/{number}")

    async def _execute(
        self, scope: Scope, operation: Dict[str, Any], idempotency_key: Optional[str]
    ) -> Receipt:
        members = {
            "idempotency_key": _key(idempotency_key),
            "scope": scope,
            "operation": operation,
        }
        answer = await self._calls.call("executeMemoryCommand", document=versioned(members))
        return cast(Receipt, answer["receipt"])


def _key(idempotency_key: Optional[str]) -> str:
    return str(uuid.uuid4()) if idempotency_key is None else idempotency_key
