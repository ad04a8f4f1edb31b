"""Recalls what answers a question, from one scope or several."""

from __future__ import annotations

from typing import Callable, List, Literal, Optional, Sequence, Union, cast

from .._memory_documents import AnyScope
from .._recollection import (
    Recollection,
    around_span,
    is_behind,
    joined_matches,
    keeps_no_ended,
    note_missing,
    recollection_of,
    within_budget,
    words_of_question,
)
from ..documents import (
    AsOf,
    MemoryRecord,
    SearchFilter,
    SearchMatch,
    SearchText,
    SearchVector,
    WordFilter,
)
from ..errors import AgentkeepError
from ..retry import wrong_option
from ._memory_reads import AsyncMemoryReads

#: Most records of one recall.
_LIMIT_MAX = 100

#: Characters of a question that an embedding is made of.
_EMBEDDED_CHARS = 4_000

#: The language of a question, or ``exact`` for words as they are.
Language = Literal[
    "exact",
    "english",
    "german",
    "french",
    "spanish",
    "portuguese",
    "italian",
    "dutch",
    "russian",
]


class AsyncRecall(AsyncMemoryReads):
    """What answers questions."""

    async def recall(
        self,
        question: str,
        *,
        limit: int = 10,
        size: Optional[int] = None,
        size_of: Callable[[str], int] = lambda text: len(text.encode()),
        passage_bytes: Optional[int] = 2_000,
        around: int = 0,
        language: Language = "english",
        vector: Optional[Sequence[float]] = None,
        space: Optional[str] = None,
        filter: Optional[SearchFilter] = None,
        scopes: Optional[Sequence[AnyScope]] = None,
        as_of: Optional[AsOf] = None,
        on_missing: Optional[Callable[[int], None]] = None,
    ) -> List[Recollection]:
        """Recalls what answers a question, the best answer first.

        Records have its words, in all their forms, and haven't expired; each says which words it
        was found by. With ``vector``, the embedding of the question by the model of ``space``,
        records count that say it in other words; without one, the server makes it if it makes
        embeddings. ``size`` bounds what ``size_of`` returns for all
        texts together, in UTF-8 bytes by default. Of a text of more than ``passage_bytes`` UTF-8
        bytes (256 to 65,536, ``None`` for whole texts), the best passage is recalled. ``around``
        adds as many records of the same conversation before and after each. ``scopes`` are 1 to 16 in place of the memory's own.
        ``as_of`` is a time or a cursor of the changes: what was known then. Where it has
        ``missing`` ``left_out``, ``on_missing`` is called once with the number of records of the
        scopes of which nothing is kept.
        """
        missing: List[int] = []
        if not isinstance(question, str):
            raise wrong_option("question", "a text")
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= _LIMIT_MAX:
            raise wrong_option("limit", f"an integer from 1 to {_LIMIT_MAX}")
        if filter is not None and not isinstance(filter, dict):
            raise wrong_option("filter", "a dict")
        text = words_of_question(question)
        words: WordFilter = {"text": text, "match": "any", "forms": language}
        wanted: Union[SearchVector, SearchText, None] = None
        found: List[Recollection] = []
        if vector is not None and any(vector):
            wanted = {"values": list(vector)}
        elif vector is None and self._calls.server.makes_embeddings and question.strip():
            wanted = {"text": question[:_EMBEDDED_CHARS]}
        elif text:
            searched = cast(SearchFilter, {**(filter or {}), "words": words})

            def is_full(some: Sequence[Recollection]) -> bool:
                kept = within_budget(some, limit=limit, size=size, size_of=size_of)
                return len(kept) == limit

            best = await self._best_matches(
                searched,
                limit=limit,
                passage_bytes=passage_bytes,
                is_full=is_full,
                may_end=vector is None,
                scopes=scopes,
                as_of=as_of,
                missing=missing,
            )
            if best is None:
                wanted = {"text": question[:_EMBEDDED_CHARS]}
            else:
                found = best
        if wanted is not None:
            by_words: Sequence[SearchMatch] = []
            if text:
                searched = cast(SearchFilter, {**(filter or {}), "words": words})
                by_words = await self._first_matches(
                    searched,
                    order="best_words",
                    successors=keeps_no_ended(searched),
                    passage_bytes=passage_bytes,
                    scopes=scopes,
                    as_of=as_of,
                    missing=missing,
                )
            nearest = await self._nearest(
                filter,
                vector=wanted,
                # It is that of a vector that was given; the server knows its own.
                space=None if vector is None else space,
                scopes=scopes,
                as_of=as_of,
                missing=missing,
            )
            joined = joined_matches(by_words, nearest)
            found = [recollection_of(match, passage_bytes) for match in joined]
        if on_missing is not None and missing:
            on_missing(max(missing))
        if around > 0:
            found = found[:limit]
            for each in found:
                each["before"] = await self._near(each, around, as_of, is_before=True)
                each["after"] = await self._near(each, around, as_of, is_before=False)
        return within_budget(found, limit=limit, size=size, size_of=size_of)

    async def _best_matches(
        self,
        searched: SearchFilter,
        *,
        limit: int,
        passage_bytes: Optional[int],
        is_full: Callable[[Sequence[Recollection]], bool],
        may_end: bool,
        scopes: Optional[Sequence[AnyScope]],
        as_of: Optional[AsOf],
        missing: List[int],
    ) -> Optional[List[Recollection]]:
        """Returns the best matches, page by page, until they fill what is wanted.

        With ``may_end``, ``None`` where the server turns out to make embeddings.
        """
        found: List[Recollection] = []
        position: Optional[str] = None
        while True:
            page = await self.search_page(
                searched,
                order="best_words",
                successors=keeps_no_ended(searched),
                # More than a page is wanted only where texts are too large.
                limit=_LIMIT_MAX if found else limit,
                passage_bytes=passage_bytes,
                cursor=position,
                scopes=scopes,
                as_of=as_of,
            )
            note_missing(page, missing)
            if may_end and "meaning_space" in page:
                self._calls.server.makes_embeddings = True
                return None
            found.extend(recollection_of(match, passage_bytes) for match in page["matches"])
            position = page["next_cursor"]
            if position is None or is_full(found) or len(found) >= 100:
                return found

    async def _nearest(
        self,
        filter: Optional[SearchFilter],
        *,
        vector: Union[SearchVector, SearchText],
        space: Optional[str],
        scopes: Optional[Sequence[AnyScope]],
        as_of: Optional[AsOf],
        missing: List[int],
    ) -> Sequence[SearchMatch]:
        """Returns the nearest matches; none of a text if the server embeds no longer."""
        try:
            return await self._first_matches(
                filter,
                order="nearest",
                vector=vector,
                space=space,
                scopes=scopes,
                as_of=as_of,
                missing=missing,
            )
        except AgentkeepError as error:
            if not any(member.path == "vector.text" for member in error.members):
                raise
            self._calls.server.makes_embeddings = False
            return []

    async def _first_matches(
        self,
        filter: Optional[SearchFilter],
        *,
        order: Literal["best_words", "nearest"],
        vector: Union[SearchVector, SearchText, None] = None,
        space: Optional[str] = None,
        passage_bytes: Optional[int] = None,
        successors: Optional[bool] = None,
        scopes: Optional[Sequence[AnyScope]],
        as_of: Optional[AsOf],
        missing: List[int],
    ) -> Sequence[SearchMatch]:
        """Returns the first page with matches."""
        position: Optional[str] = None
        while True:
            page = await self.search_page(
                filter,
                order=order,
                vector=vector,
                space=space,
                passage_bytes=passage_bytes,
                successors=successors,
                limit=_LIMIT_MAX,
                cursor=position,
                scopes=scopes,
                as_of=as_of,
            )
            note_missing(page, missing)
            position = page["next_cursor"]
            # Pages are empty while records are left to examine.
            if page["matches"] or position is None:
                return page["matches"]

    async def _near(
        self, found: Recollection, around: int, as_of: Optional[AsOf], *, is_before: bool
    ) -> List[MemoryRecord]:
        """Returns the records right before, or after, one in time."""
        near: List[MemoryRecord] = []
        async for match in self.search(
            {"event_time": around_span(found["record"], around, is_before)},
            order="newest_event" if is_before else "oldest_event",
            limit=min(_LIMIT_MAX, 2 * around + 1),
            scopes=[found["scope"]],
            as_of=as_of,
        ):
            if is_behind(match["record"], found["record"], is_before):
                near.append(match["record"])
            if len(near) == around:
                break
        return near[::-1] if is_before else near
