"""Plays random calls with the Python client: calls on standard input, outcomes on standard output."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, List

from agentkeep import Agentkeep, AgentkeepError

UNKNOWN = "00000000-0000-4000-8000-000000000000"
NUMBERS = {
    "nan": float("nan"),
    "infinity": float("inf"),
    "minus infinity": float("-inf"),
    "minus zero": -0.0,
}


class Point:
    x = 1


class Player:
    def __init__(self, memory: Any) -> None:
        self.memory = memory
        self.ids: List[str] = []

    def play(self, call: Dict[str, Any]) -> Dict[str, Any]:
        given = {name: self.decode(value) for name, value in call["given"].items()}
        try:
            value = METHODS[call["method"]](self.memory, given)
        except AgentkeepError as error:
            return {"code": error.code, "members": [each.path for each in error.members]}
        except Exception as error:  # What isn't typed is a fault.
            return {"value": f"not typed: {error!r}"}
        if isinstance(value, dict) and value.get("action") == "created":
            self.ids.append(value["record_id"])
        return {"value": value}

    def decode(self, coded: Any) -> Any:
        if isinstance(coded, list):
            return [self.decode(each) for each in coded]
        if not isinstance(coded, dict):
            return coded
        if "$" in coded:
            return self.made(coded)
        return {name: self.decode(value) for name, value in coded.items()}

    def made(self, marked: Dict[str, Any]) -> Any:
        kind = marked["$"]
        if kind in NUMBERS:
            return NUMBERS[kind]
        if kind == "id":
            return self.ids[marked["at"] % len(self.ids)] if self.ids else UNKNOWN
        if kind == "integer":
            sys.set_int_max_str_digits(0)
            return int(marked["digits"])
        if kind == "long":
            return marked["of"] * marked["times"]
        if kind == "time":
            return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=marked["ms"])
        if kind == "cycle":
            cycle: Dict[str, Any] = {}
            cycle["self"] = cycle
            return cycle
        if kind == "deep":
            deep: Any = 1
            for _ in range(marked["levels"]):
                deep = [deep]
            return deep
        return {"bytes": b"\x01\x02", "set": {"a"}, "function": print, "object": Point()}[kind]


def options(given: Dict[str, Any], **renamed: str) -> Dict[str, Any]:
    """The options of a method: those of a call that are there, by their names in this language."""
    return {name: given[own] for name, own in renamed.items() if own in given}


KEY = {"idempotency_key": "key"}
EXPECTED = {"expected_revision": "revision"}

METHODS: Dict[str, Callable[[Any, Dict[str, Any]], Any]] = {
    "remember": lambda memory, it: memory.remember(
        it["text"], **options(it, name="name", tags="tags", metadata="metadata", at="at", **KEY)
    ),
    "recall": lambda memory, it: memory.recall(
        it["question"], **options(it, limit="limit", filter="filter")
    ),
    "create": lambda memory, it: memory.create(it["record"], **options(it, **KEY)),
    "put": lambda memory, it: memory.put(
        it["name"], it["record"], **options(it, **EXPECTED, **KEY)
    ),
    "update": lambda memory, it: memory.update(
        it["id"], it["record"], **options(it, **EXPECTED, **KEY)
    ),
    "delete": lambda memory, it: memory.delete(it["id"], **options(it, **EXPECTED, **KEY)),
    "remove": lambda memory, it: memory.delete(name=it["name"], **options(it, **KEY)),
    "restore": lambda memory, it: memory.restore(
        it["id"], **options(it, revision="old", **EXPECTED)
    ),
    "redact": lambda memory, it: memory.redact(it["id"], **options(it, revision="old")),
    "read": lambda memory, it: memory.read(it["id"], **options(it, revision="old")),
    "named": lambda memory, it: memory.read(name=it["name"]),
    "history": lambda memory, it: list(memory.history(it["id"], **options(it, limit="limit"))),
    "query": lambda memory, it: list(memory.query(**it)),
    "search": lambda memory, it: list(
        memory.search(it["filter"], **options(it, limit="limit"))
    ),
    "count": lambda memory, it: memory.count(it["filter"]),
    "batch": lambda memory, it: memory.batch(it["changes"], **options(it, **KEY)),
    "changes": lambda memory, it: memory.changes_page(**options(it, limit="limit")),
}


def main() -> None:
    task = json.load(sys.stdin)
    with Agentkeep(task["url"], task["secret"]) as agent:
        player = Player(agent.memory.in_(task["scope"]))
        outcomes = [player.play(call) for call in task["calls"]]
    json.dump(outcomes, sys.stdout)


main()
