"""Runs a test, whether it is asynchronous or not."""

from __future__ import annotations

import asyncio
import functools
import inspect
from typing import Any, Callable


def run(test: Callable[..., Any]) -> Callable[..., None]:
    """Makes a test function of a coroutine function; a plain function stays one."""

    @functools.wraps(test)
    def runs(*args: Any, **named: Any) -> None:
        if inspect.iscoroutinefunction(test):
            asyncio.run(test(*args, **named))
        else:
            test(*args, **named)

    return runs
