"""How long the memory of a tenant is kept."""

from __future__ import annotations

from typing import Any, Dict, Optional, cast

from .._memory_documents import scope_parameters, versioned
from ..documents import RetentionResponse, RetentionSettings, ReviewSetting, Scope
from ._calls import Calls


class AsyncRetention:
    """Retention of memory, for administrators."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def get(self, scope: Optional[Scope] = None) -> RetentionResponse:
        """Shows what is set for the tenant, or for a scope, and what holds with it."""
        parameters = scope_parameters(scope, {})
        answer = await self._calls.call("getMemoryRetention", parameters=parameters)
        return cast(RetentionResponse, answer)

    async def set(
        self,
        retention: RetentionSettings,
        *,
        expected_revision: int,
        scope: Optional[Scope] = None,
        review: Optional[ReviewSetting] = None,
    ) -> RetentionResponse:
        """Replaces a setting. A scope can only narrow what the tenant keeps.

        ``review`` says whether commands in shared scopes wait for review; left out, it stays.
        """
        members: Dict[str, Any] = {
            "scope": scope,
            "expected_revision": expected_revision,
            "retention": retention,
        }
        if review is not None:
            members["review"] = review
        answer = await self._calls.call("setMemoryRetention", document=versioned(members))
        return cast(RetentionResponse, answer)
