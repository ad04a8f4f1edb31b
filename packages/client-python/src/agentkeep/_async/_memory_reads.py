"""The calls of scoped memory that change nothing."""

from __future__ import annotations

from typing import AsyncIterator, Callable, List, Optional, Sequence, Union, cast, overload

from .._circle_check import CircleCheck, repeated_cursor
from .._counts import TotalCounts
from .._memory_documents import (
    AnyScope,
    CountedBy,
    as_of_parameters,
    require_scope,
    scope_parameters,
    search_document,
    versioned,
)
from ..documents import (
    AsOf,
    ChangePage,
    CommittedChange,
    EpisodeType,
    MemoryReader,
    MemoryReadersPage,
    MemoryRecord,
    MemoryRevision,
    QueryPage,
    RankJoin,
    RevisionsPage,
    Scope,
    SearchCounts,
    SearchFilter,
    SearchMatch,
    SearchOrder,
    SearchPage,
    SearchText,
    SearchVector,
    WantedCounts,
    WordFilter,
)
from ..errors import AgentkeepError
from ._calls import Calls
from ._consumers import AsyncConsumers

#: Longest wait of one page of changes.
_CHANGES_WAIT_MILLIS_MAX = 30_000


class AsyncMemoryReads:
    """Reads of scoped memory."""

    def __init__(self, calls: Calls, scope: Optional[AnyScope] = None) -> None:
        self._calls = calls
        self._given = None if scope is None else scope.copy()

    @property
    def scope(self) -> AnyScope:
        """The scope of every call. Raises ``invalid_request`` where ``in_()`` has not named one."""
        return require_scope(self._given)

    @property
    def consumers(self) -> AsyncConsumers:
        """Positions in the changes that the server keeps, so that one worker at a time goes on."""
        return AsyncConsumers(self._calls, cast(Optional[Scope], self._given))

    @overload
    async def read(
        self,
        record_id: str,
        *,
        revision: Optional[int] = None,
        as_of_millis: Optional[int] = None,
        as_of: Optional[AsOf] = None,
    ) -> MemoryRecord: ...

    @overload
    async def read(
        self, *, name: str, as_of: Optional[AsOf] = None
    ) -> Optional[MemoryRecord]: ...

    async def read(
        self,
        record_id: Optional[str] = None,
        *,
        name: Optional[str] = None,
        revision: Optional[int] = None,
        as_of_millis: Optional[int] = None,
        as_of: Optional[AsOf] = None,
    ) -> Optional[MemoryRecord]:
        """Reads a current record, or one of its revisions; by ``name``, ``None`` if none has it.

        ``as_of`` is a time or a cursor of the changes: it reads the state of memory then.
        By its id it raises ``record_not_found`` when it is absent, deleted or expired, or when the
        revision isn't kept.
        """
        wanted = {"name": name, "revision": revision, "as_of_millis": as_of_millis}
        parameters = scope_parameters(self.scope, {**wanted, **as_of_parameters(as_of)})
        if record_id is not None:
            answer = await self._calls.call("readMemoryRecord", id=record_id, parameters=parameters)
            return cast(MemoryRecord, answer["record"])
        try:
            answer = await self._calls.call("readNamedRecord", parameters=parameters)
        except AgentkeepError as error:
            if error.code == "record_not_found":
                return None
            raise
        return cast(MemoryRecord, answer["record"])

    async def history_page(
        self,
        record_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> RevisionsPage:
        """Returns one page of the revisions of a record, the newest first."""
        parameters = scope_parameters(self.scope, {"limit": limit, "cursor": cursor})
        answer = await self._calls.call("listMemoryRevisions", id=record_id, parameters=parameters)
        return cast(RevisionsPage, answer["page"])

    async def history(
        self, record_id: str, *, limit: Optional[int] = None
    ) -> AsyncIterator[MemoryRevision]:
        """Yields the revisions of a record that are kept, the newest first."""
        cursor: Optional[str] = None
        circle = CircleCheck()
        while True:
            page = await self.history_page(record_id, limit=limit, cursor=cursor)
            for revision in page["items"]:
                yield revision
            cursor = circle.passed(page["next_cursor"])
            if cursor is None:
                return

    async def readers_page(
        self,
        record_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> MemoryReadersPage:
        """Returns one page of who read a record, where reads are counted.

        In a shared scope it needs ``credential_admin``; a private one shows it to its subject.
        """
        parameters = scope_parameters(self.scope, {"limit": limit, "cursor": cursor})
        answer = await self._calls.call("listMemoryReads", id=record_id, parameters=parameters)
        return cast(MemoryReadersPage, answer["page"])

    async def readers(
        self, record_id: str, *, limit: Optional[int] = None
    ) -> AsyncIterator[MemoryReader]:
        """Yields who read a record, how often and on which days, in the order of their ids."""
        cursor: Optional[str] = None
        circle = CircleCheck()
        while True:
            page = await self.readers_page(record_id, limit=limit, cursor=cursor)
            for reader in page["items"]:
                yield reader
            cursor = circle.passed(page["next_cursor"])
            if cursor is None:
                return

    async def query_page(
        self,
        *,
        text_contains: Optional[str] = None,
        episode_type: Optional[EpisodeType] = None,
        tag: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        scan_limit: Optional[int] = None,
        as_of: Optional[AsOf] = None,
    ) -> QueryPage:
        """Returns one page of a query; go on with ``next_after`` as ``after``."""
        members = {
            "text_contains": text_contains,
            "episode_type": episode_type,
            "tag": tag,
            "tags": None if tags is None else list(tags),
            "after": after,
            "limit": limit,
            "scan_limit": scan_limit,
        }
        given = {name: value for name, value in members.items() if value is not None}
        document = versioned({"scope": self.scope, "filter": given, "as_of": as_of})
        answer = await self._calls.call("queryMemory", document=document)
        return cast(QueryPage, answer["page"])

    async def query(
        self,
        *,
        text_contains: Optional[str] = None,
        episode_type: Optional[EpisodeType] = None,
        tag: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        scan_limit: Optional[int] = None,
        as_of: Optional[AsOf] = None,
    ) -> AsyncIterator[MemoryRecord]:
        """Yields every record that matches, in order of creation, fetched a page at a time."""
        position = after
        circle = CircleCheck()
        while True:
            page = await self.query_page(
                text_contains=text_contains,
                episode_type=episode_type,
                tag=tag,
                tags=tags,
                after=position,
                limit=limit,
                scan_limit=scan_limit,
                as_of=as_of,
            )
            for record in page["records"]:
                yield record
            position = circle.passed(page["next_after"])
            if position is None:
                return

    async def search_page(
        self,
        filter: Optional[SearchFilter] = None,
        *,
        order: Optional[SearchOrder] = None,
        vector: Union[SearchVector, SearchText, None] = None,
        space: Optional[str] = None,
        words: Optional[WordFilter] = None,
        join: Optional[RankJoin] = None,
        counts: Optional[WantedCounts] = None,
        highlights: Optional[bool] = None,
        passage_bytes: Optional[int] = None,
        successors: Optional[bool] = None,
        explain: Optional[bool] = None,
        explain_record: Optional[str] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        scan_limit: Optional[int] = None,
        scopes: Optional[Sequence[AnyScope]] = None,
        as_of: Optional[AsOf] = None,
    ) -> SearchPage:
        """Returns one page of a search; go on with ``next_cursor`` as ``cursor``."""
        members = {
            "filter": filter,
            "as_of": as_of,
            "order": order,
            "vector": vector,
            "space": space,
            "words": words,
            "join": join,
            "counts": counts,
            "highlights": highlights,
            "passage_bytes": passage_bytes,
            "successors": successors,
            "explain": explain,
            "explain_record": explain_record,
            "cursor": cursor,
            "limit": limit,
            "scan_limit": scan_limit,
        }
        document = search_document(self._scopes(scopes), members)
        answer = await self._calls.call("searchMemory", document=document)
        return cast(SearchPage, answer["page"])

    async def search(
        self,
        filter: Optional[SearchFilter] = None,
        *,
        order: Optional[SearchOrder] = None,
        vector: Union[SearchVector, SearchText, None] = None,
        space: Optional[str] = None,
        words: Optional[WordFilter] = None,
        highlights: Optional[bool] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        scan_limit: Optional[int] = None,
        scopes: Optional[Sequence[AnyScope]] = None,
        as_of: Optional[AsOf] = None,
    ) -> AsyncIterator[SearchMatch]:
        """Yields every record that matches, the newest first unless ``order`` says otherwise,
        fetched a page at a time. ``scopes`` are 1 to 16 in place of the memory's own."""
        position = cursor
        circle = CircleCheck()
        while True:
            page = await self.search_page(
                filter,
                scopes=scopes,
                order=order,
                vector=vector,
                space=space,
                words=words,
                highlights=highlights,
                cursor=position,
                limit=limit,
                scan_limit=scan_limit,
                as_of=as_of,
            )
            for match in page["matches"]:
                yield match
            position = circle.passed(page["next_cursor"])
            if position is None:
                return

    async def count(
        self,
        filter: Optional[SearchFilter] = None,
        *,
        by: Sequence[CountedBy] = (),
        scan_limit: Optional[int] = None,
        scopes: Optional[Sequence[AnyScope]] = None,
        as_of: Optional[AsOf] = None,
        on_missing: Optional[Callable[[int], None]] = None,
    ) -> SearchCounts:
        """Counts the records that match, of the scope or of 1 to 16 ``scopes``, page by page.

        With ``by``, also how many there are of each type, tag, author or UTC day, the largest
        groups first. Where ``as_of`` has ``missing`` ``left_out``, ``on_missing`` is called once
        with the number of records of which nothing is kept.
        """
        missing: Optional[int] = None
        total = TotalCounts(by)
        wanted: List[CountedBy] = list(by)
        cursor: Optional[str] = None
        circle = CircleCheck()
        while True:
            page = await self.search_page(
                filter,
                counts={"by": wanted},
                cursor=cursor,
                scan_limit=scan_limit,
                scopes=scopes,
                as_of=as_of,
            )
            if "counts" in page:
                total.add(page["counts"])
            missing = page.get("missing_records", missing)
            cursor = circle.passed(page["next_cursor"])
            if cursor is None:
                if on_missing is not None and missing is not None:
                    on_missing(missing)
                return total.shown()

    async def changes_page(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        wait_millis: Optional[int] = None,
        proposals: bool = False,
    ) -> ChangePage:
        """Returns one page of committed changes; go on with ``next_after`` as ``after``.

        Without a scope they are those of all scopes that the agent may read. ``after`` is a
        cursor, or ``latest`` to begin after everything that is committed now. With ``proposals``
        the page has what happened to proposals too.
        Raises ``position_expired`` when changes after the cursor are no longer kept.
        """
        members = {
            "after": after,
            "limit": limit,
            "wait_millis": wait_millis,
            "proposals": "include" if proposals else None,
        }
        parameters = scope_parameters(self._given, members)
        answer = await self._calls.call("listMemoryChanges", parameters=parameters)
        return cast(ChangePage, answer["page"])

    async def changes(
        self, *, after: Optional[str] = None
    ) -> AsyncIterator[CommittedChange]:
        """Yields committed changes in the order of their commits, and waits for more.

        To go on later, keep the ``cursor`` of the last change and pass it as ``after``.
        """
        position = after
        while True:
            page = await self.changes_page(
                after=position, wait_millis=_CHANGES_WAIT_MILLIS_MAX
            )
            for change in page["changes"]:
                yield change
            if page["has_more"] and page["next_after"] == position:
                raise repeated_cursor()
            position = page["next_after"]

    def _scopes(self, scopes: Optional[Sequence[AnyScope]]) -> Sequence[AnyScope]:
        return [self.scope] if scopes is None else scopes
