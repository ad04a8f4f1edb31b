"""How a recall joins what it finds by words with what it finds by an embedding."""

from __future__ import annotations

from typing import Any, List, Optional, cast

from agentkeep._recollection import joined_matches, recollection_of
from agentkeep.documents import SearchMatch

MINUTE_MS = 60_000


def a_match(minute: int, text: str, distance: Optional[float] = None) -> SearchMatch:
    payload = {"content": {"primary": text}, "event_time_millis": minute * MINUTE_MS}
    match: Any = {"record": {"record_id": f"{minute:03}", "payload": payload}, "scope": {}}
    return cast(SearchMatch, match if distance is None else {**match, "distance": distance})


def minutes(matches: Any) -> Any:
    return [int(match["record"]["record_id"]) for match in matches]


def test_a_short_match_counts_for_a_near_one_beside_it_and_a_long_one_does_not() -> None:
    question = a_match(1, "Shall we climb a mountain?", 0)
    answers = [a_match(0, "Yes.", 0.2), a_match(2, "Yes." + " And so on." * 30, 0.2)]
    nearest = [question, a_match(60, "Tea.", 0.19), *answers]
    assert minutes(joined_matches([], nearest)) == [1, 0, 60, 2]


def test_places_by_words_count_more_and_a_match_has_its_distance() -> None:
    nearest = [a_match(each, "near", each / 100) for each in range(10, 40, 3)]
    by_words = [a_match(each, "words") for each in range(100, 130, 3)]
    joined = joined_matches([*by_words, nearest[-1]], nearest)
    assert minutes(joined)[:8] == minutes(by_words)[:8]
    assert minutes(joined)[8] == 37
    both = next(each for each in joined if minutes([each]) == [37])
    assert both.get("distance") == 0.37


def test_a_model_counts_as_far_as_it_finds_what_the_words_find_and_more_for_short_texts() -> None:
    by_words = [a_match(60 * each, "words", 0.3) for each in range(1, 10)]
    others = [a_match(60 * each, "others", 0.4) for each in range(20, 50)]
    near, long = a_match(0, "near", 0), a_match(0, "near" * 300, 0)

    def place(nearest: Any) -> int:
        at: int = minutes(joined_matches(by_words, nearest)).index(0)
        return at

    assert place([near, *by_words, *others]) == 7
    assert place([near, *others, *by_words]) == 9
    assert place([long, *by_words, *others]) > 9


def test_a_model_counts_where_each_match_has_few_of_the_words_and_neighbours_less() -> None:
    def places(*words: str) -> Any:
        terms = [{"text": each, "records": 1} for each in words]
        by_words: Any = [
            {**a_match(60 * at, "words"), "terms": [terms[at % len(terms)]]} for at in range(1, 10)
        ]
        nearest = [a_match(0, "near", 0), a_match(9_000, "yes", 0.1), a_match(9_001, "no", 0.1)]
        joined: List[int] = minutes(joined_matches(by_words, nearest))
        return joined.index(0), joined.index(9_000)

    assert places(*"abcdefghi") == (1, 3)
    assert places("a") == (11, 9)


def test_a_long_text_is_recalled_as_its_passage_in_units_of_utf_16() -> None:
    found: Any = {**a_match(0, "\U0001f30a Tea. " + "And so on. " * 40)}
    passage = {"from": 3, "to": 7}
    recalled = recollection_of(cast(SearchMatch, {**found, "passage": passage}), 256)
    assert (recalled["text"], recalled.get("passage")) == ("Tea.", passage)
    start = recollection_of(cast(SearchMatch, found), 256)
    assert len(start["text"].encode()) == 256
    assert start.get("passage") == {"from": 0, "to": 254}
    assert "passage" not in recollection_of(cast(SearchMatch, found), None)
    assert "passage" not in recollection_of(a_match(0, "Tea."), 256)
