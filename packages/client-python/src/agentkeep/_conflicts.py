"""Which records may say something else of the same, from what searches find."""

from __future__ import annotations

import math
from typing import Dict, List, Optional, Sequence, TypedDict, cast

from .documents import FoundTerm, MemoryRecord, Scope, SearchMatch


class Conflict(TypedDict):
    """A record that may be in conflict. Nothing says that it is: the texts have to be read."""

    record: MemoryRecord
    scope: Scope
    #: Whether it has the name of the record, in another scope.
    is_namesake: bool
    #: Which part of the rarity of the words it shares, 0 to 1.
    overlap: float
    #: The words that it shares, and how many of the compared records have each.
    terms: List[FoundTerm]


def sharing_words(matches: Sequence[SearchMatch], counted: int) -> List[Conflict]:
    """Matches of a search by rarity, with the part of the rarity of all words that each has."""
    # The record itself has all of them where it is among the matches.
    every = {term["text"]: term for match in matches for term in match.get("terms", [])}

    def rarity(terms: Sequence[FoundTerm]) -> float:
        return sum(math.log(1 + counted / term["records"]) for term in terms)

    whole = rarity(list(every.values()))
    return [
        _conflict(match, rarity(match.get("terms", [])) / whole if whole > 0 else 0)
        for match in matches
    ]


def likeliest_conflicts(
    record: MemoryRecord,
    sharing: Sequence[Conflict],
    namesakes: Sequence[SearchMatch],
    *,
    least: float,
    limit: int,
) -> List[Conflict]:
    """Those that hold at a common time, of the same name first, then by what they share."""
    found: Dict[str, Conflict] = {
        each["record"]["record_id"]: each for each in sharing if each["overlap"] >= least
    }
    for match in namesakes:
        record_id = match["record"]["record_id"]
        known = found.get(record_id, _conflict(match, 0)).copy()
        known["is_namesake"] = True
        found[record_id] = known
    likely = [each for each in found.values() if _may_conflict(record, each["record"])]
    likely.sort(key=lambda each: (not each["is_namesake"], -each["overlap"]))
    return likely[:limit]


def _conflict(match: SearchMatch, overlap: float) -> Conflict:
    return {
        "record": match["record"],
        "scope": cast(Scope, match["scope"]),
        "is_namesake": False,
        "overlap": overlap,
        "terms": match.get("terms", []),
    }


def _may_conflict(one: MemoryRecord, other: MemoryRecord) -> bool:
    """Whether two different records hold at a common time."""
    if one["record_id"] == other["record_id"]:
        return False
    return _starts_before_end(one, other) and _starts_before_end(other, one)


def _starts_before_end(one: MemoryRecord, other: MemoryRecord) -> bool:
    end: Optional[int] = other["payload"].get("valid_until_millis")
    return end is None or one["payload"]["event_time_millis"] < end
