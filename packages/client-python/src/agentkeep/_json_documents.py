"""Documents as JSON. What JSON would change or can't write is refused with the name of its member."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any

from .retry import wrong_option

#: Deepest level of lists and dicts that a server takes.
_DEPTH_MAX = 64
_NAME = re.compile(r"[\w-]{1,64}", re.ASCII)
_PLAIN = "a value of JSON: a text, a finite number, True, False, None, a list or a dict"
_EXACT = "a number that a double holds; write a larger integer as a text"
_WELL_FORMED = "a text without half of a surrogate pair"


def json_text(value: Any) -> str:
    """Returns a value as JSON. Raises ``invalid_request`` for one that would not come back."""
    _check(value, "", 1)
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def check_text(path: str, text: str) -> None:
    """Refuses a text that UTF-8 can't write."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise wrong_option(path, _WELL_FORMED) from None


def _check(value: Any, path: str, level: int) -> None:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        check_text(path, value)
    elif isinstance(value, int):
        if not _is_exact(value):
            raise wrong_option(path, _EXACT)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise wrong_option(path, _PLAIN)
    elif level > _DEPTH_MAX:
        raise wrong_option("", f"at most {_DEPTH_MAX} levels of lists and dicts")
    elif isinstance(value, (list, tuple)):
        for at, each in enumerate(value):
            _check(each, f"{path}[{at}]", level + 1)
    elif isinstance(value, dict):
        for name, each in value.items():
            if not isinstance(name, str):
                raise wrong_option(path, "a dict whose keys are texts")
            check_text(path, name)
            _check(each, _member(path, name), level + 1)
    else:
        raise wrong_option(path, _PLAIN)


def _member(path: str, name: str) -> str:
    """Callers choose names, so a strange one is left out."""
    if _NAME.fullmatch(name) is None:
        return path
    return name if path == "" else f"{path}.{name}"


def _is_exact(value: int) -> bool:
    try:
        number = float(value)
    except OverflowError:
        return False
    # Servers write a double in the fewest digits, and those come back.
    return Decimal(repr(number)) == value
