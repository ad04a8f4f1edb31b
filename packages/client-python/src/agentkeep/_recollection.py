"""What answers a question, of the best matches by words, or of those by words and a vector."""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from typing import (
    Callable,
    Dict,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    cast,
)

from .documents import FoundTerm, MemoryRecord, Scope, SearchMatch, TimeFilter

#: Letters, marks and digits of scripts that put no spaces between words (Thai, Lao, Tibetan,
#: Myanmar, Khmer, kana, Bopomofo, Han), and of Hangul, where particles are written onto words.
_UNSPACED = re.compile(
    "[\u02bc\u02c7\u02c9-\u02cb\u0303\u0305\u0323\u0331\u0e01-\u109d\u1100-\u11ff\u1780-\u17f9"
    "\u3005-\u3229\u3280-\u3289\u3400-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f"
    "\uac00-\ud7fb\uf900-\ufad9\uff66-\uffdc\U000116d0-\U000116e3\U00016fe3\U00016ff0-\U00016ff6"
    "\U0001aff0-\U0001b167\U0001d360-\U0001d371\U00020000-\U0003347f]"
)
#: Characters that are not shown (Default_Ignorable_Code_Point of Unicode).
_NOT_SHOWN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
#: Characters of the parts of a clause whose script puts no spaces between words.
_PART_CHARS = 2
_WORDS_MAX = 32
_WORDS_BYTES_MAX = 1_024
#: Milliseconds between the events of two records of one conversation, at most.
CONVERSATION_GAP_MS = 120_000
#: What a word in a neighbour counts, as a part of what it counts in the record.
_NEARBY_WEIGHT = 0.5
#: What is added to each rank before its reciprocal.
_RANK_OFFSET = 60


class _Recollected(TypedDict):
    #: The main text of the record.
    text: str
    record: MemoryRecord
    scope: Scope
    #: The words of the question that it has, how often, and how many matches have each.
    terms: List[FoundTerm]
    #: The words that it lacks and that were said right before or after it.
    nearby: List[FoundTerm]


class Recollection(_Recollected, total=False):
    """What was recalled, and why."""

    #: With a vector, the cosine distance from it; absent for a record without an embedding.
    distance: float
    #: With ``around``, the records of its conversation before it, and after it.
    before: List[MemoryRecord]
    after: List[MemoryRecord]


def words_of_question(question: str) -> str:
    """The words of a question without the syntax of searches; of too many, the longest."""
    composed = unicodedata.normalize("NFKC", question)
    shown = unicodedata.normalize("NFKC", _NOT_SHOWN.sub("", composed))
    runs = itertools.groupby(shown, _kind_of)
    every = list(dict.fromkeys(each for kind, run in runs for each in _pieces(kind, "".join(run))))
    # The same words as other clients keep, which count units of UTF-16.
    kept = set(sorted(every, key=lambda each: -len(each.encode("utf-16-le")))[:_WORDS_MAX])
    words = ""
    for word in every:
        more = f"{words} {word}".strip()
        if word in kept and len(more.encode()) <= _WORDS_BYTES_MAX:
            words = more
    return words


def _kind_of(character: str) -> Optional[str]:
    """What a character is a part of: a word, a clause without spaces, or neither."""
    if character != "_" and unicodedata.category(character)[0] not in "LMN":
        return None
    return "word" if _UNSPACED.match(character) is None else "part"


def _pieces(kind: Optional[str], text: str) -> List[str]:
    """A run of characters of one kind, or its parts where the script puts no spaces."""
    if kind is None:
        return []
    if kind == "word" or len(text) <= _PART_CHARS:
        return [text]
    return [text[at : at + _PART_CHARS] for at in range(len(text) - _PART_CHARS + 1)]


def recollection_of(match: SearchMatch) -> Recollection:
    """A match as it is recalled."""
    found: Recollection = {
        "text": match["record"]["payload"]["content"]["primary"],
        "record": match["record"],
        "scope": cast(Scope, match["scope"]),
        "terms": _terms_of(match),
        "nearby": match.get("nearby", []),
    }
    if "distance" in match:
        found["distance"] = match["distance"]
    return found


def recollected(matches: Sequence[SearchMatch], counted: int) -> List[Recollection]:
    """Puts matches in the order in which they answer; equal ones in that of the search."""

    def weigh(terms: Sequence[FoundTerm]) -> float:
        return sum(math.log(1 + counted / term["records"]) for term in terms)

    in_time = sorted(matches, key=lambda each: (time_of(each["record"]), each["record"]["record_id"]))
    weighed = []
    for match in matches:
        terms = _terms_of(match)
        own = {term["text"] for term in terms}
        nearby: Dict[str, FoundTerm] = {}
        for other in _neighbours_of(match, in_time):
            for term in _terms_of(other):
                if term["text"] not in own:
                    nearby[term["text"]] = term
        found = recollection_of(match)
        found["nearby"] = list(nearby.values())
        weight = weigh(terms) + _NEARBY_WEIGHT * weigh(found["nearby"])
        weighed.append(_Weighed(match, weight, found))
    by_words = sorted(weighed, key=lambda each: -each.weight)
    if any("ranks" in match for match in matches):
        by_words = _joined_with_vectors(by_words)
    return [each.found for each in by_words]


class _Weighed(NamedTuple):
    """A match, and what its words count."""

    match: SearchMatch
    weight: float
    found: Recollection


def _joined_with_vectors(by_words: Sequence[_Weighed]) -> List[_Weighed]:
    """Joins the order by words with the ranks by vector, as the search joins its own."""
    sums: List[Tuple[float, _Weighed]] = []
    rank = 0
    before: Optional[float] = None
    for index, each in enumerate(by_words):
        if each.weight != before:
            rank = index + 1
        before = each.weight
        ranks = each.match.get("ranks")
        vector = None if ranks is None else ranks["vector"]
        words = None if each.weight == 0 else rank
        sums.append((_reciprocal(words) + _reciprocal(vector), each))
    return [each for _sum, each in sorted(sums, key=lambda it: -it[0])]


def _reciprocal(rank: Optional[int]) -> float:
    return 0 if rank is None else 1 / (_RANK_OFFSET + rank)


def around_span(record: MemoryRecord, around: int, is_before: bool) -> TimeFilter:
    """The times in which up to ``around`` records of its conversation are before or after one."""
    at = time_of(record)
    gap = CONVERSATION_GAP_MS * around
    return {
        "from_millis": at - gap if is_before else at,
        "before_millis": at + 1 if is_before else at + gap + 1,
    }


def is_behind(one: MemoryRecord, other: MemoryRecord, is_before: bool) -> bool:
    """Whether one is before, or after, another one; ids decide at equal times."""
    here = (time_of(one), one["record_id"])
    there = (time_of(other), other["record_id"])
    return here < there if is_before else here > there


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
        around = [*each.get("before", []), *each.get("after", [])]
        texts = [each["text"], *(other["payload"]["content"]["primary"] for other in around)]
        own = sum(size_of(text) for text in texts)
        if size is None or used + own <= size:
            used += own
            kept.append(each)
    return kept


def _neighbours_of(match: SearchMatch, in_time: Sequence[SearchMatch]) -> List[SearchMatch]:
    at = next(index for index, each in enumerate(in_time) if each is match)

    def is_near(other: SearchMatch) -> bool:
        gap = abs(time_of(other["record"]) - time_of(match["record"]))
        return other["scope"] == match["scope"] and gap <= CONVERSATION_GAP_MS

    before = next((each for each in reversed(in_time[:at]) if is_near(each)), None)
    after = next((each for each in in_time[at + 1 :] if is_near(each)), None)
    return [each for each in (before, after) if each is not None]


def _terms_of(match: SearchMatch) -> List[FoundTerm]:
    return match.get("terms", [])


def time_of(record: MemoryRecord) -> int:
    """When it happened, in Unix milliseconds."""
    return record["payload"]["event_time_millis"]
