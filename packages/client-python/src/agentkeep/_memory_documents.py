"""The members of memory's documents and parameters, from the arguments of the clients."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Union, cast

from ._contract import CONTRACT_VERSION
from ._json_documents import json_text
from .documents import AsOf, BatchCommand, MemoryScope, RecordInput, Scope
from .retry import wrong_option

#: A scope as it is, or in a branch.
AnyScope = Union[Scope, MemoryScope]

#: Bounds of one batch.
_BATCH_COMMANDS_MAX = 256
_BATCH_BYTES_MAX = 1_048_576

#: Bytes of the document around the commands: member names, and a key whose bytes are escaped.
_AROUND_BYTES = 128 + 6 * 256

#: What a count of matches goes by.
CountedBy = Literal["type", "tag", "author", "event_day", "created_day", "modified_day"]


def given(members: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the members that were given."""
    return {name: value for name, value in members.items() if value is not None}


def record_of_text(
    text: str,
    *,
    tags: Optional[Sequence[str]],
    metadata: Optional[Mapping[str, Any]],
    at: Optional[datetime],
) -> RecordInput:
    """Returns the record of a text. Raises ``invalid_request`` for arguments of other types."""
    if not isinstance(text, str):
        raise wrong_option("text", "a text")
    if tags is not None and not isinstance(tags, (list, tuple)):
        raise wrong_option("tags", "a list")
    if at is not None and not isinstance(at, datetime):
        raise wrong_option("at", "a datetime")
    members = {
        "content": {"primary": text},
        "tags": None if tags is None else list(tags),
        "metadata": dict(metadata) if isinstance(metadata, Mapping) else metadata,
        "event_time_millis": None if at is None else round(at.timestamp() * 1_000),
    }
    return cast(RecordInput, given(members))


def versioned(members: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns a document with these members, without those that were not given."""
    return {"contract_version": CONTRACT_VERSION, **given(members)}


def scope_parameters(scope: Optional[AnyScope], members: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns query parameters with a scope, which have no null."""
    return versioned({**cast(Dict[str, Any], scope or {}), **members})


def as_of_parameters(as_of: Optional[AsOf]) -> Dict[str, Any]:
    """Returns the query parameters of a state of memory."""
    given = (as_of or {}).items()
    return {f"as_of_{name}": value for name, value in given if name != "missing"}


def search_document(scopes: Sequence[AnyScope], members: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the document of a search."""
    return {**versioned(members), "scopes": list(scopes)}


def require_scope(scope: Optional[AnyScope]) -> AnyScope:
    """Returns a scope. Raises ``invalid_request`` where there is none."""
    if scope is not None:
        return scope
    raise wrong_option("scope", "a scope, named with agent.memory.in_(scope)")


class Batcher:
    """Divides records into batches: the same records into the same batches, each time."""

    def __init__(self, scope: AnyScope) -> None:
        self._scope = scope
        self._commands: List[BatchCommand] = []
        self._bytes = _AROUND_BYTES

    def add(self, record: RecordInput) -> Iterator[List[BatchCommand]]:
        """Adds a record, and yields the batch that it no longer fits into."""
        command = cast(
            BatchCommand, {"scope": self._scope, "operation": {"type": "create", "record": record}}
        )
        size = len(json_text(command).encode()) + 1
        is_full = len(self._commands) == _BATCH_COMMANDS_MAX or (
            self._bytes + size > _BATCH_BYTES_MAX
        )
        if is_full:
            yield from self.rest()
        self._commands.append(command)
        self._bytes += size

    def rest(self) -> Iterator[List[BatchCommand]]:
        """Yields what is left, if anything."""
        commands, self._commands = self._commands, []
        self._bytes = _AROUND_BYTES
        if commands:
            yield commands
