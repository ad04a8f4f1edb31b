"""Consolidates memory: gives what changed to a function, and writes what it makes of it, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Awaitable, Callable, List, Sequence

from .._consolidation import TRIES_MAX, ChangedMemory, Consolidation, with_lineage
from ..documents import MemoryOperation, MemoryRecord
from ..errors import AgentkeepError

if TYPE_CHECKING:
    from ._scoped_memory import AsyncScopedMemory

#: Makes changes of memory, at most 256, from what changed.
Propose = Callable[[ChangedMemory], Awaitable[Sequence[MemoryOperation]]]


async def consolidate(
    memory: AsyncScopedMemory,
    propose: Propose,
    *,
    name: str,
    limit: int,
    lease_seconds: int,
    is_proposed: bool,
) -> Consolidation:
    """Runs ``memory.consolidate()``."""
    consumer = memory.consumers.open(name, lease_seconds=lease_seconds)
    pages = written = known = 0
    async for answer in consumer.pages(limit=limit):
        ids = list(dict.fromkeys(each["record_id"] for each in answer["page"]["changes"]))
        attempt = 1
        while True:
            changed = await _changed(memory, ids, answer["page_id"], attempt)
            if not changed.records and not changed.removed:
                break
            proposed = await propose(changed)
            if not proposed:
                break
            await consumer.claim()
            changes = [with_lineage(each, changed.records) for each in proposed]
            try:
                key = f"consolidation {changed.id}"
                receipt = await memory.batch(changes, idempotency_key=key, propose=is_proposed)
                written += len(receipt["outcomes"])
                break
            except AgentkeepError as error:
                if error.code == "idempotency_conflict":
                    known += 1
                    break
                is_outdated = error.code in ("revision_conflict", "record_not_found")
                if not is_outdated or attempt == TRIES_MAX:
                    raise
            attempt += 1
        pages += 1
    return Consolidation(pages, written, known)


async def _changed(
    memory: AsyncScopedMemory, ids: Sequence[str], page_id: str, attempt: int
) -> ChangedMemory:
    records: List[MemoryRecord] = []
    removed: List[str] = []
    for id in ids:
        try:
            record = await memory.read(id)
        except AgentkeepError as error:
            if error.code != "record_not_found":
                raise
            removed.append(id)
            continue
        if record["payload"].get("source") != "model":
            records.append(record)
    return ChangedMemory(page_id, records, removed, attempt)
