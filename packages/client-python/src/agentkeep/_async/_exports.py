"""Exports of memory as lines of JSON, and their import."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Iterable, List, Optional, Tuple, cast

from .._export_check import ExportCheck
from .._memory_documents import versioned
from ..documents import Exported, ImportOutcome
from ..errors import error_of
from ._calls import Calls

_PART_CHARS = 786_432
_PROBLEMS_MAX = 100
_ORIGIN = '{"line":"export"'
_SCOPE = '{"line":"scope"'
_BRANCH = '{"line":"branch"'


class AsyncExports:
    """Exports and imports: of the own private scope, and of all for administrators."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def texts(
        self, of: Exported, *, with_history: bool = False
    ) -> AsyncIterator[str]:
        """Yields an export in texts of complete lines, all of one state of the memory.

        Its last line has counts and the SHA-256 of all lines between it and the first. Raises
        ``service_busy`` while too many are made at once, and ``export_gone`` when the state isn't
        held any more: begin again.
        """
        after: Optional[str] = None
        check = ExportCheck()
        while True:
            members = {"of": of, "with_history": with_history, "after": after}
            answer = await self._calls.call("exportMemory", document=versioned(members))
            page = answer["page"]
            check.add(page["text"])
            yield page["text"]
            after = page["next_after"]
            if after is None:
                break
        fault = check.fault()
        if fault is not None:
            raise error_of("unexpected_answer", fault)

    async def import_texts(self, texts: Iterable[str], *, dry_run: bool = False) -> ImportOutcome:
        """Imports the texts of an export. What is stored already stays as it is.

        Raises ``invalid_request`` at the end of an export that is cut or damaged. What was imported
        before stays.
        """
        stored = unchanged = refused = 0
        check = ExportCheck()
        problems: List[Any] = []
        for text, skipped, first_line in _parts_of(_checking(check, texts)):
            document = versioned({"text": text, "dry_run": dry_run})
            answer = await self._calls.call("importMemory", document=document)
            outcome = answer["outcome"]
            stored += outcome["stored"]
            unchanged += outcome["unchanged"]
            refused += outcome["refused"]
            for problem in outcome["problems"]:
                if len(problems) < _PROBLEMS_MAX:
                    line = problem["line"] - skipped + first_line
                    problems.append({"line": line, "reason": problem["reason"]})
        fault = check.fault() if check.is_whole else None
        if fault is not None:
            raise error_of("invalid_request", fault)
        totals = {
            "stored": stored,
            "unchanged": unchanged,
            "refused": refused,
            "problems": problems,
        }
        return cast(ImportOutcome, totals)


def _checking(check: ExportCheck, texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        check.add(text)
        yield text


def _parts_of(texts: Iterable[str]) -> Iterable[Tuple[str, int, int]]:
    """Divides texts at lines, and repeats the lines that say what a part goes on with."""
    lines: List[str] = []
    chars = skipped = first_line = 0
    origin: List[str] = []
    place: List[str] = []
    for line in _lines_of(texts):
        lines.append(line)
        chars += len(line) + 1
        if line.startswith(_ORIGIN):
            origin = [line]
        elif line.startswith(_BRANCH):
            place = [line]
        elif line.startswith(_SCOPE):
            place = [each for each in place if each.startswith(_BRANCH)] + [line]
        if chars < _PART_CHARS:
            continue
        yield "\n".join(lines) + "\n", skipped, first_line
        first_line += len(lines) - skipped
        lines = origin + place
        skipped = len(lines)
        chars = 0
    if len(lines) > skipped:
        yield "\n".join(lines) + "\n", skipped, first_line


def _lines_of(texts: Iterable[str]) -> Iterable[str]:
    rest = ""
    for text in texts:
        lines = (rest + text).split("\n")
        rest = lines.pop()
        yield from lines
    if rest:
        yield rest
