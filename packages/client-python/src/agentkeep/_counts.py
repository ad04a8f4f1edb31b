"""Numbers of matches of several pages, added up."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Sequence, Tuple, cast

from .documents import SearchCounts

#: By what to count: the list in an answer, and the member that has the value.
_LISTS: Dict[str, Tuple[str, str]] = {
    "type": ("types", "episode_type"),
    "tag": ("tags", "tag"),
    "author": ("authors", "subject_id"),
    "event_day": ("event_days", "from_millis"),
    "created_day": ("created_days", "from_millis"),
    "modified_day": ("modified_days", "from_millis"),
}


class TotalCounts:
    """Adds up the counts of pages."""

    def __init__(self, by: Sequence[str]) -> None:
        self._matches = 0
        self._groups: Dict[str, Dict[str, Tuple[Any, int]]] = {each: {} for each in by}

    def add(self, counts: SearchCounts) -> None:
        """Adds the counts of a page."""
        self._matches += counts["matches"]
        shown = cast(Dict[str, List[Dict[str, Any]]], counts)
        for by, groups in self._groups.items():
            name, member = _LISTS[by]
            for each in shown.get(name, []):
                key = json.dumps(each[member])
                _, known = groups.get(key, (None, 0))
                groups[key] = (each[member], known + each["matches"])

    def shown(self) -> SearchCounts:
        """Returns the counts as answers show them: most matches first, then by value."""
        total: Dict[str, Any] = {"matches": self._matches}
        for by, groups in self._groups.items():
            name, member = _LISTS[by]
            total[name] = [
                {member: value, "matches": matches}
                for value, matches in sorted(groups.values(), key=_order)
            ]
        return cast(SearchCounts, total)


def _order(group: Tuple[Any, int]) -> Tuple[int, int, Any]:
    """Numbers ascend, texts by UTF-16 units; custom types come last."""
    value, matches = group
    if isinstance(value, int):
        return (-matches, 0, value)
    if isinstance(value, str):
        return (-matches, 0, value.encode("utf-16-be", "surrogatepass"))
    return (-matches, 1, str(value["Custom"]).encode("utf-16-be", "surrogatepass"))
