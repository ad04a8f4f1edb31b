"""What answers a question, of the best matches by words, or of those by words and a vector."""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import (
    Callable,
    Dict,
    List,
    Optional,
    Sequence,
    TypedDict,
    cast,
)

from .documents import (
    FoundTerm,
    MemoryRecord,
    Scope,
    SearchFilter,
    SearchMatch,
    SearchPage,
    SearchPassage,
    TimeFilter,
)

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
#: What is added to each place before its reciprocal; with a small number, first places decide.
_PLACE_OFFSET = 5
#: What a place by embedding counts at least, as a part of what the same place by words counts.
_MEANING_WEIGHT_MIN = 0.2
#: What is added to that for a short text, where the model agrees with the words.
_AGREEMENT_WEIGHT = 0.8
#: How many of the first matches by words say whether the model agrees.
_FIRST_MATCHES = 7
#: The agreement below which the model finds something else than the words.
_AGREEMENT_MIN = 0.35
#: The part of the found words that one of the first matches has, unless words find little.
_FOUND_PART_MIN = 0.4
#: UTF-8 bytes of a text for which half of the agreement is added; much less for longer ones.
_HALF_BYTES = 400
_HALF_POWER = 4
#: What the similarity of a neighbour counts, as a part of what it counts there.
_NEARBY_SIMILARITY = 0.8
#: UTF-8 bytes of a text that says little without what was said before and after it, at most.
_SHORT_BYTES = 300


class _Recollected(TypedDict):
    #: The main text of the record or, of a long one, the passage that answers best.
    text: str
    record: MemoryRecord
    scope: Scope
    #: The words of the question that it has, how often, and how many matches have each.
    terms: List[FoundTerm]
    #: The words that it lacks and that were said right before or after it.
    nearby: List[FoundTerm]


class Recollection(_Recollected, total=False):
    """What was recalled, and why."""

    #: Where the passage is in the main text, in UTF-16 units; absent if it is the whole.
    passage: SearchPassage
    #: With a vector, the cosine distance from it; absent for a record without an embedding.
    distance: float
    #: Id of a record that it superseded, directly or through others, and whose place it has.
    in_place_of: str
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


def recollection_of(match: SearchMatch, passage_bytes: Optional[int]) -> Recollection:
    """A match as it is recalled, a long text as a passage of at most so many bytes."""
    primary = match["record"]["payload"]["content"]["primary"]
    # What is found by its embedding alone has no best passage, so that it is shown from its start.
    passage = match.get("passage", _start_of(primary, passage_bytes))
    found: Recollection = {
        "text": primary if passage is None else _text_at(primary, passage),
        "record": match["record"],
        "scope": cast(Scope, match["scope"]),
        "terms": _terms_of(match),
        "nearby": match.get("nearby", []),
    }
    if passage is not None:
        found["passage"] = passage
    if "distance" in match:
        found["distance"] = match["distance"]
    if "in_place_of" in match:
        found["in_place_of"] = match["in_place_of"]
    return found


def _start_of(text: str, most: Optional[int]) -> Optional[SearchPassage]:
    """The start of a text that is longer than so many bytes."""
    encoded = text.encode()
    if most is None or len(encoded) <= most:
        return None
    start = encoded[:most].decode(errors="ignore")
    return {"from": 0, "to": len(start.encode("utf-16-le")) // 2}


def _text_at(text: str, passage: SearchPassage) -> str:
    units = text.encode("utf-16-le")
    return units[2 * passage["from"] : 2 * passage["to"]].decode("utf-16-le")


def keeps_no_ended(filter: SearchFilter) -> bool:
    """Whether ended records give their places away, as they are not wanted themselves."""
    is_hidden = filter.get("expired", "hidden") == "hidden"
    return is_hidden and not filter.get("include_superseded", False)


def note_missing(page: SearchPage, missing: List[int]) -> None:
    """Adds how many records a page leaves out as missing, if it says so."""
    if "missing_records" in page:
        missing.append(page["missing_records"])


def joined_matches(
    by_words: Sequence[SearchMatch], nearest: Sequence[SearchMatch]
) -> List[SearchMatch]:
    """The matches of both orders, each once, those that count most first."""
    joined: Dict[str, SearchMatch] = {}
    sums: Dict[str, float] = {}
    for index, match in enumerate(by_words):
        record_id = match["record"]["record_id"]
        joined[record_id] = match
        sums[record_id] = 1 / (_PLACE_OFFSET + 1 + index)
    agreement = _agreement(by_words, nearest)
    is_model_alone = agreement < _AGREEMENT_MIN and _found_part(by_words) < _FOUND_PART_MIN
    # Without help by words, a talk that is near throughout would hide the one remark that is meant.
    nearby = 0 if is_model_alone else _NEARBY_SIMILARITY
    for index, match in enumerate(_by_meaning(nearest, nearby)):
        record_id = match["record"]["record_id"]
        known = joined.get(record_id, match).copy()
        known["distance"] = match.get("distance", 1)
        joined[record_id] = known
        share = _weight(match, 1 if is_model_alone else agreement) / (_PLACE_OFFSET + 1 + index)
        sums[record_id] = sums.get(record_id, 0) + share
    return [joined[record_id] for record_id in sorted(sums, key=lambda each: -sums[each])]


def _agreement(by_words: Sequence[SearchMatch], nearest: Sequence[SearchMatch]) -> float:
    """How far the model finds what the words find, from 0 to 1."""
    places = {each["record"]["record_id"]: at / len(nearest) for at, each in enumerate(nearest)}
    first = [match["record"]["record_id"] for match in by_words[:_FIRST_MATCHES]]
    return sum(1 - places.get(each, 1) for each in first) / len(first) if first else 1


def _found_part(by_words: Sequence[SearchMatch]) -> float:
    """The greatest part of all found words that one of the first matches has."""
    every = {term["text"] for match in by_words for term in _terms_of(match)}
    if not every:
        return 1
    return max(len(_terms_of(match)) for match in by_words[:_FIRST_MATCHES]) / len(every)


def _weight(match: SearchMatch, agreement: float) -> float:
    """What a place by embedding counts, which is more for a short text."""
    shortness = 1 / (1 + (_bytes(match) / _HALF_BYTES) ** _HALF_POWER)
    return _MEANING_WEIGHT_MIN + _AGREEMENT_WEIGHT * agreement * shortness


def _bytes(match: SearchMatch) -> int:
    return len(match["record"]["payload"]["content"]["primary"].encode())


def _by_meaning(nearest: Sequence[SearchMatch], nearby: float) -> List[SearchMatch]:
    """The nearest matches, where a short one counts for a neighbour that is near too."""
    in_time = sorted(nearest, key=lambda each: (time_of(each["record"]), each["record"]["record_id"]))
    weights: Dict[str, float] = {}
    for at, match in enumerate(in_time):
        beside = [*in_time[max(0, at - 1) : at], *in_time[at + 1 : at + 2]]
        near = [_similarity(other) for other in beside if _are_neighbours(match, other)]
        is_short = _bytes(match) <= _SHORT_BYTES
        lent = nearby * max(0, *near) if is_short and near else 0
        weights[match["record"]["record_id"]] = _similarity(match) + lent
    return sorted(nearest, key=lambda each: -weights[each["record"]["record_id"]])


def _similarity(match: SearchMatch) -> float:
    return 1 - match.get("distance", 1)


def _are_neighbours(one: SearchMatch, other: SearchMatch) -> bool:
    gap = abs(time_of(one["record"]) - time_of(other["record"]))
    return one["scope"] == other["scope"] and gap <= CONVERSATION_GAP_MS


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


def _terms_of(match: SearchMatch) -> List[FoundTerm]:
    return match.get("terms", [])


def time_of(record: MemoryRecord) -> int:
    """When it happened, in Unix milliseconds."""
    return record["payload"]["event_time_millis"]
