"""Facts that end: what a record superseded, and what may contradict it."""

from __future__ import annotations

from typing import AsyncIterator, List, Literal, Optional, Sequence, Set, Tuple

from .._conflicts import Conflict, likeliest_conflicts, sharing_words
from .._memory_documents import AnyScope
from .._recollection import words_of_question
from ..documents import MemoryRecord, SearchFilter, SearchMatch, SearchPage
from ..errors import AgentkeepError
from ..retry import wrong_option
from ._recall import AsyncRecall, Language

#: Most records of a chain, so that one call reads no more.
_CHAIN_MAX = 64
_LIMIT_MAX = 100


class AsyncFacts(AsyncRecall):
    """What held before, and what may not hold."""

    async def superseded(self, record: MemoryRecord) -> List[MemoryRecord]:
        """Returns what a record superseded, directly or through others, the latest first.

        Each is as it ended. Those that are not kept are left out; at most 64.
        """
        chain: List[MemoryRecord] = []
        known: Set[str] = set()
        waiting = _stated_by(record)
        while waiting and len(known) < _CHAIN_MAX:
            record_id, revision, successor = waiting.pop(0)
            if record_id in known:
                continue
            known.add(record_id)
            ended = await self._ended_by(record_id, revision, successor)
            if ended is not None:
                chain.append(ended)
                waiting.extend(_stated_by(ended))
        return chain

    async def conflicts(
        self,
        record: MemoryRecord,
        *,
        scopes: Optional[Sequence[AnyScope]] = None,
        overlap: float = 0.5,
        limit: int = 10,
        language: Language = "english",
    ) -> List[Conflict]:
        """Returns records that may say something else of the same, for you to judge.

        They have the name of the record in another of ``scopes``, or ``overlap`` of the rarity of
        its words, above 0 and at most 1, and hold at a common time. Those of the same name come
        first.
        """
        if not 0 < overlap <= 1:
            raise wrong_option("overlap", "a number above 0 and at most 1")
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= _LIMIT_MAX:
            raise wrong_option("limit", f"an integer from 1 to {_LIMIT_MAX}")
        text = words_of_question(record["payload"]["content"]["primary"])
        first: Optional[SearchPage] = None
        if text:
            async for page in self._pages(
                {"words": {"text": text, "match": "any", "forms": language}}, "rarest_words", scopes
            ):
                if page["matches"]:
                    first = page
                    break
        sharing = (
            [] if first is None else sharing_words(first["matches"], first.get("counted_matches", 0))
        )
        namesakes = await self._namesakes(record, scopes)
        return likeliest_conflicts(record, sharing, namesakes, least=overlap, limit=limit)

    async def _pages(
        self,
        filter: SearchFilter,
        order: Literal["rarest_words", "oldest"],
        scopes: Optional[Sequence[AnyScope]],
    ) -> AsyncIterator[SearchPage]:
        cursor: Optional[str] = None
        while True:
            page = await self.search_page(
                filter, order=order, limit=_LIMIT_MAX, cursor=cursor, scopes=scopes
            )
            yield page
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def _ended_by(
        self, record_id: str, revision: int, successor: str
    ) -> Optional[MemoryRecord]:
        """Returns a record as its successor ended it."""
        # That is the revision after the stated one, unless a branch was merged.
        following = await self._read_if_kept(record_id, revision + 1)
        if following is not None and _successor_of(following) == successor:
            return following
        try:
            async for each in self.history(record_id):
                payload = each["payload"]
                if payload is not None and payload.get("superseded_by") == successor:
                    return await self._read_if_kept(record_id, each["revision"])
        except AgentkeepError as error:
            if error.code != "record_not_found":
                raise
        return None

    async def _read_if_kept(self, record_id: str, revision: int) -> Optional[MemoryRecord]:
        try:
            return await self.read(record_id, revision=revision)
        except AgentkeepError as error:
            if error.code == "record_not_found":
                return None
            raise

    async def _namesakes(
        self, record: MemoryRecord, scopes: Optional[Sequence[AnyScope]]
    ) -> List[SearchMatch]:
        """Returns the records of the same name: a scope has at most one."""
        name = record.get("name")
        if name is None or scopes is None:
            return []
        found: List[SearchMatch] = []
        async for page in self._pages({"name_prefix": name}, "oldest", scopes):
            found.extend(each for each in page["matches"] if each["record"].get("name") == name)
            if len(found) == len(scopes):
                break
        return found


def _stated_by(record: MemoryRecord) -> List[Tuple[str, int, str]]:
    """The ids and revisions that a record stated as superseded, and its own id."""
    stated = record["payload"].get("supersedes", [])
    return [(each["record_id"], each["revision"], record["record_id"]) for each in stated]


def _successor_of(record: MemoryRecord) -> Optional[str]:
    return record["payload"].get("superseded_by")
