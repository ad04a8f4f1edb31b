"""The memory of an agent in one scope."""

from __future__ import annotations

from datetime import datetime
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Callable,
    Iterable,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
)

from .._memory_documents import CountedBy, record_of_text
from .._recollection import (
    Recollection,
    recollected,
    utf8_length,
    within_budget,
    words_of_question,
)
from ..documents import (
    BatchReceipt,
    ChangePage,
    CommittedChange,
    EpisodeType,
    MemoryOperation,
    MemoryRecord,
    MemoryRevision,
    QueryPage,
    Receipt,
    RecordInput,
    RevisionsPage,
    Scope,
    SearchCounts,
    SearchFilter,
    SearchMatch,
    SearchOrder,
    SearchPage,
    SearchVector,
    WantedCounts,
    WordFilter,
)

if TYPE_CHECKING:
    from ._memory import AsyncMemory


class AsyncScopedMemory:
    """The calls of ``AsyncMemory`` with the scope given once, by ``memory.in_()``."""

    def __init__(self, memory: AsyncMemory, scope: Scope) -> None:
        self._memory = memory
        #: The scope of every call.
        self.scope = scope.copy()

    async def remember(
        self,
        text: str,
        *,
        name: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        at: Optional[datetime] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Stores a text, or replaces the one that has its ``name``.

        ``at`` is when it happened; without it, when it is stored.
        """
        record = record_of_text(text, tags=tags, metadata=metadata, at=at)
        if name is None:
            return await self.create(record, idempotency_key=idempotency_key)
        return await self.put(name, record, idempotency_key=idempotency_key)

    async def recall(
        self,
        question: str,
        *,
        limit: int = 10,
        size: Optional[int] = None,
        size_of: Callable[[str], int] = utf8_length,
        language: Literal[
            "exact",
            "english",
            "german",
            "french",
            "spanish",
            "portuguese",
            "italian",
            "dutch",
            "russian",
        ] = "english",
        filter: Optional[SearchFilter] = None,
    ) -> List[Recollection]:
        """Recalls what answers a question, the best answer first.

        Records have its rarest words, in all their forms, and haven't expired; each says which
        words it was found by. ``size`` bounds what ``size_of`` returns for all texts together.
        """
        words = words_of_question(question)
        if not words:
            return []
        wanted: WordFilter = {"text": words, "match": "any", "forms": language}
        searched: SearchFilter = {**(filter or {}), "words": wanted}
        position: Optional[str] = None
        while True:
            # Pages are empty while records are left to examine.
            page = await self.search_page(
                searched, order="rarest_words", limit=100, cursor=position
            )
            position = page["next_cursor"]
            if page["matches"] or position is None:
                break
        found = recollected(page["matches"], page.get("counted_matches", 0))
        return within_budget(found, limit=limit, size=size, size_of=size_of)

    async def create(
        self, record: RecordInput, *, idempotency_key: Optional[str] = None
    ) -> Receipt:
        """Creates a record."""
        return await self._memory.create(self.scope, record, idempotency_key=idempotency_key)

    async def update(
        self,
        record_id: str,
        record: RecordInput,
        *,
        expected_revision: int,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Replaces the payload of a record."""
        return await self._memory.update(
            self.scope,
            record_id,
            record,
            expected_revision=expected_revision,
            idempotency_key=idempotency_key,
        )

    async def delete(
        self, record_id: str, *, expected_revision: int, idempotency_key: Optional[str] = None
    ) -> Receipt:
        """Deletes a record for good."""
        return await self._memory.delete(
            self.scope,
            record_id,
            expected_revision=expected_revision,
            idempotency_key=idempotency_key,
        )

    async def put(
        self,
        name: str,
        record: RecordInput,
        *,
        expected_revision: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Creates the record of a name, or replaces its payload."""
        return await self._memory.put(
            self.scope,
            name,
            record,
            expected_revision=expected_revision,
            idempotency_key=idempotency_key,
        )

    async def get(self, name: str) -> Optional[MemoryRecord]:
        """Reads the current record of a name; ``None`` when there is none."""
        return await self._memory.get(self.scope, name)

    async def remove(
        self,
        name: str,
        *,
        expected_revision: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Deletes the record of a name for good, and frees the name."""
        return await self._memory.remove(
            self.scope,
            name,
            expected_revision=expected_revision,
            idempotency_key=idempotency_key,
        )

    async def restore(
        self,
        record_id: str,
        *,
        revision: int,
        expected_revision: int,
        idempotency_key: Optional[str] = None,
    ) -> Receipt:
        """Gives a record the payload of an old revision."""
        return await self._memory.restore(
            self.scope,
            record_id,
            revision=revision,
            expected_revision=expected_revision,
            idempotency_key=idempotency_key,
        )

    async def redact(
        self, record_id: str, *, revision: int, idempotency_key: Optional[str] = None
    ) -> Receipt:
        """Takes the payload of an old revision away for good."""
        return await self._memory.redact(
            self.scope, record_id, revision=revision, idempotency_key=idempotency_key
        )

    async def batch(
        self, changes: Sequence[MemoryOperation], *, idempotency_key: Optional[str] = None
    ) -> BatchReceipt:
        """Executes 1 to 256 changes in their order, all or none."""
        return await self._memory.batch(
            [{"scope": self.scope, "operation": change} for change in changes],
            idempotency_key=idempotency_key,
        )

    def create_many(
        self, records: Iterable[RecordInput], *, idempotency_key: Optional[str] = None
    ) -> AsyncIterator[BatchReceipt]:
        """Creates any number of records in batches, and yields the receipt of each."""
        return self._memory.create_many(self.scope, records, idempotency_key=idempotency_key)

    async def read(
        self,
        record_id: str,
        *,
        revision: Optional[int] = None,
        as_of_millis: Optional[int] = None,
    ) -> MemoryRecord:
        """Reads a current record, or one of its revisions."""
        return await self._memory.read(
            self.scope, record_id, revision=revision, as_of_millis=as_of_millis
        )

    async def history_page(
        self, record_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> RevisionsPage:
        """Returns one page of the revisions of a record, the newest first."""
        return await self._memory.history_page(self.scope, record_id, limit=limit, cursor=cursor)

    def history(
        self, record_id: str, *, limit: Optional[int] = None
    ) -> AsyncIterator[MemoryRevision]:
        """Yields the revisions of a record, the newest first."""
        return self._memory.history(self.scope, record_id, limit=limit)

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
    ) -> QueryPage:
        """Returns one page of a query; go on with ``next_after`` as ``after``."""
        return await self._memory.query_page(
            self.scope,
            text_contains=text_contains,
            episode_type=episode_type,
            tag=tag,
            tags=tags,
            after=after,
            limit=limit,
            scan_limit=scan_limit,
        )

    def query(
        self,
        *,
        text_contains: Optional[str] = None,
        episode_type: Optional[EpisodeType] = None,
        tag: Optional[str] = None,
        tags: Optional[Sequence[str]] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        scan_limit: Optional[int] = None,
    ) -> AsyncIterator[MemoryRecord]:
        """Yields every record that matches, in order of creation."""
        return self._memory.query(
            self.scope,
            text_contains=text_contains,
            episode_type=episode_type,
            tag=tag,
            tags=tags,
            after=after,
            limit=limit,
            scan_limit=scan_limit,
        )

    async def search_page(
        self,
        filter: Optional[SearchFilter] = None,
        *,
        order: Optional[SearchOrder] = None,
        vector: Optional[SearchVector] = None,
        words: Optional[WordFilter] = None,
        counts: Optional[WantedCounts] = None,
        highlights: Optional[bool] = None,
        explain: Optional[bool] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        scan_limit: Optional[int] = None,
    ) -> SearchPage:
        """Returns one page of a search; go on with ``next_cursor`` as ``cursor``."""
        return await self._memory.search_page(
            self.scope,
            filter,
            order=order,
            vector=vector,
            words=words,
            counts=counts,
            highlights=highlights,
            explain=explain,
            cursor=cursor,
            limit=limit,
            scan_limit=scan_limit,
        )

    def search(
        self,
        filter: Optional[SearchFilter] = None,
        *,
        order: Optional[SearchOrder] = None,
        vector: Optional[SearchVector] = None,
        words: Optional[WordFilter] = None,
        highlights: Optional[bool] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        scan_limit: Optional[int] = None,
    ) -> AsyncIterator[SearchMatch]:
        """Yields every record that matches, the newest first unless ``order`` says otherwise."""
        return self._memory.search(
            self.scope,
            filter,
            order=order,
            vector=vector,
            words=words,
            highlights=highlights,
            cursor=cursor,
            limit=limit,
            scan_limit=scan_limit,
        )

    async def count(
        self, filter: Optional[SearchFilter] = None, *, by: Sequence[CountedBy] = ()
    ) -> SearchCounts:
        """Counts the records that match, by groups too."""
        return await self._memory.count(self.scope, filter, by=by)

    async def changes_page(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        wait_millis: Optional[int] = None,
    ) -> ChangePage:
        """Returns one page of changes of the scope."""
        return await self._memory.changes_page(
            scope=self.scope, after=after, limit=limit, wait_millis=wait_millis
        )

    def changes(self, *, after: Optional[str] = None) -> AsyncIterator[CommittedChange]:
        """Yields changes of the scope, and waits for more."""
        return self._memory.changes(scope=self.scope, after=after)
