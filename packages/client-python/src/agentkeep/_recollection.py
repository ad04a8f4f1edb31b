"""What answers a question, of the matches of a search by rarity."""

from __future__ import annotations

import math
import re
from typing import Callable, Dict, List, Optional, Sequence, TypedDict, cast

from .documents import FoundTerm, MemoryRecord, Scope, SearchMatch

_WORD = re.compile(r"\w+")
_WORDS_MAX = 32
_WORDS_BYTES_MAX = 1_024
#: Milliseconds between the events of two records of one conversation, at most.
_CONVERSATION_GAP_MS = 120_000
#: What a word in a neighbour counts, as a part of what it counts in the record.
_NEARBY_WEIGHT = 0.5


class Recollection(TypedDict):
    """What was recalled, and why."""

    #: The main text of the record.
    text: str
    record: MemoryRecord
    scope: Scope
    #: The words of the question that it has.
    terms: List[FoundTerm]
    #: The words that it lacks and that were said right before or after it.
    nearby: List[FoundTerm]


def words_of_question(question: str) -> str:
    """The words of a question without the syntax of searches; of too many, the longest."""
    every = list(dict.fromkeys(_WORD.findall(question)))
    kept = set(sorted(every, key=len, reverse=True)[:_WORDS_MAX])
    words = ""
    for word in every:
        more = f"{words} {word}".strip()
        if word in kept and len(more.encode()) <= _WORDS_BYTES_MAX:
            words = more
    return words


def recollected(matches: Sequence[SearchMatch], counted: int) -> List[Recollection]:
    """Puts the matches of a search by rarity in the order in which they answer."""

    def weigh(terms: Sequence[FoundTerm]) -> float:
        return sum(math.log(1 + counted / term["records"]) for term in terms)

    in_time = sorted(matches, key=lambda each: (_time_of(each), each["record"]["record_id"]))
    weighed = []
    for rank, match in enumerate(matches):
        terms = _terms_of(match)
        own = {term["text"] for term in terms}
        nearby: Dict[str, FoundTerm] = {}
        for other in _neighbours_of(match, in_time):
            for term in _terms_of(other):
                if term["text"] not in own:
                    nearby[term["text"]] = term
        found: Recollection = {
            "text": match["record"]["payload"]["content"]["primary"],
            "record": match["record"],
            "scope": cast(Scope, match["scope"]),
            "terms": terms,
            "nearby": list(nearby.values()),
        }
        weight = weigh(terms) + _NEARBY_WEIGHT * weigh(found["nearby"])
        weighed.append((-weight, rank, found))
    return [found for _weight, _rank, found in sorted(weighed, key=lambda each: each[:2])]


def within_budget(
    found: Sequence[Recollection],
    *,
    limit: int,
    size: Optional[int],
    size_of: Callable[[str], int],
) -> List[Recollection]:
    """The first recollections that fit; one that is too large is left out."""
    kept: List[Recollection] = []
    used = 0
    for each in found:
        if len(kept) == limit:
            break
        own = size_of(each["text"])
        if size is None or used + own <= size:
            used += own
            kept.append(each)
    return kept


def _neighbours_of(match: SearchMatch, in_time: Sequence[SearchMatch]) -> List[SearchMatch]:
    at = next(index for index, each in enumerate(in_time) if each is match)

    def is_near(other: SearchMatch) -> bool:
        gap = abs(_time_of(other) - _time_of(match))
        return other["scope"] == match["scope"] and gap <= _CONVERSATION_GAP_MS

    before = next((each for each in reversed(in_time[:at]) if is_near(each)), None)
    after = next((each for each in in_time[at + 1 :] if is_near(each)), None)
    return [each for each in (before, after) if each is not None]


def _terms_of(match: SearchMatch) -> List[FoundTerm]:
    return match.get("terms", [])


def _time_of(match: SearchMatch) -> int:
    return match["record"]["payload"]["event_time_millis"]


def utf8_length(text: str) -> int:
    """The size of a text in UTF-8 bytes."""
    return len(text.encode())
