"""The deprecated forms of ``agent.memory``, which take a scope first. The next version has none."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Callable

from ._scoped_memory import AsyncScopedMemory

_NAMES = (
    *("create", "update", "delete", "put", "get", "remove", "restore", "redact", "create_many"),
    *("read", "history_page", "history", "query_page", "query", "search_page", "search", "count"),
    *("changes_page", "changes"),
)


class AsyncMemory(AsyncScopedMemory):
    """The memory of an agent without a scope, and its deprecated forms."""


def _scope_first(name: str) -> Callable[..., Any]:
    method: Callable[..., Any] = getattr(AsyncScopedMemory, name)

    @functools.wraps(method)
    def form(memory: AsyncMemory, *args: Any, **options: Any) -> Any:
        first = args[0] if args else options.get("scope")
        if isinstance(first, dict) and "project_id" in first:
            warnings.warn(f"Use memory.in_(scope).{name}().", DeprecationWarning, stacklevel=2)
            options.pop("scope", None)
            return getattr(memory.in_(first), name)(*args[1:], **options)  # type: ignore[arg-type]
        if isinstance(first, (list, tuple)) and name in ("search_page", "search", "count"):
            warnings.warn(f"Use memory.{name}(scopes=...).", DeprecationWarning, stacklevel=2)
            return method(memory, *args[1:], scopes=first, **options)
        return method(memory, *args, **options)

    return form


for _name in _NAMES:
    setattr(AsyncMemory, _name, _scope_first(_name))
