"""What a consolidation is given, and what it answers."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Sequence, cast

from .documents import MemoryOperation, MemoryRecord, Scope

#: How often a page is given again after its records have changed meanwhile.
TRIES_MAX = 3


class ChangedMemory(NamedTuple):
    """What changed since the last run, as it is now."""

    #: The same each time that this page is given.
    id: str
    #: The changed records, without those that a model wrote.
    records: List[MemoryRecord]
    #: Ids of changed records that are deleted or have expired.
    removed: List[str]
    #: How often this page was given in this run, from 1.
    attempt: int


class Consolidation(NamedTuple):
    """What a run did."""

    #: Pages that are done.
    pages: int
    #: Changes that were written.
    written: int
    #: Pages for which an earlier run had written already.
    known: int


def name_of(scope: Scope) -> str:
    """Returns the name of the consumer of a scope."""
    parts = [scope["project_id"], scope.get("mission_id") or "", scope["agent_id"]]
    return "/".join(["consolidation", *parts, scope["visibility"]])


def with_lineage(change: MemoryOperation, records: Sequence[MemoryRecord]) -> MemoryOperation:
    """Returns a change whose record says what it came from."""
    given = cast(Dict[str, Any], change)
    if "record" not in given:
        return change
    stated = [{"record_id": each["record_id"], "revision": each["revision"]} for each in records]
    sources: Dict[str, Any] = {"derived_from": stated} if stated else {}
    record = {"source": "model", **sources, **given["record"]}
    return cast(MemoryOperation, {**given, "record": record})
