"""The audit log of the caller's authority."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import AsyncIterator, Callable, Optional, Union, cast

from .._circle_check import CircleCheck
from .._memory_documents import given
from ..documents import (
    AuditChainVerification,
    AuditEvent,
    AuditEventType,
    AuditPage,
    AuditResult,
)
from ._calls import Calls

#: Unix milliseconds, RFC 3339 with a zone, or a time with a zone.
Time = Union[int, str, datetime]


class AsyncAudit:
    """Reads the audit log. Needs ``credential_admin`` or the role Admin."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def query_page(
        self,
        *,
        event_type: Optional[AuditEventType] = None,
        user_id: Optional[str] = None,
        username: Optional[str] = None,
        action: Optional[str] = None,
        resource: Optional[str] = None,
        result: Optional[AuditResult] = None,
        ip_address: Optional[str] = None,
        start_time: Optional[Time] = None,
        end_time: Optional[Time] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> AuditPage:
        """Returns one page of the matching events, newest first. Times are inclusive. ``resource``
        is what an event is about, such as ``record:<id>``."""
        parameters = given(
            {
                "event_type": event_type,
                "user_id": user_id,
                "username": username,
                "action": action,
                "resource": resource,
                "result": result,
                "ip_address": ip_address,
                "start_time": _text_of(start_time),
                "end_time": _text_of(end_time),
                "limit": limit,
                "cursor": cursor,
            }
        )
        answer = await self._calls.call("queryAuditLogs", parameters=parameters)
        return cast(AuditPage, answer)

    async def query(
        self,
        *,
        event_type: Optional[AuditEventType] = None,
        user_id: Optional[str] = None,
        username: Optional[str] = None,
        action: Optional[str] = None,
        resource: Optional[str] = None,
        result: Optional[AuditResult] = None,
        ip_address: Optional[str] = None,
        start_time: Optional[Time] = None,
        end_time: Optional[Time] = None,
        limit: Optional[int] = None,
    ) -> AsyncIterator[AuditEvent]:
        """Yields every matching event, newest first, fetched a page of ``limit`` at a time."""
        cursor: Optional[str] = None
        circle = CircleCheck()
        while True:
            page = await self.query_page(
                event_type=event_type,
                user_id=user_id,
                username=username,
                action=action,
                resource=resource,
                result=result,
                ip_address=ip_address,
                start_time=start_time,
                end_time=end_time,
                limit=limit,
                cursor=cursor,
            )
            for event in page["events"]:
                yield event
            cursor = circle.passed(page["next_cursor"])
            if cursor is None or limit == 0:
                return

    async def verify(
        self,
        *,
        tenant_id: Optional[str] = None,
        on_progress: Optional[Callable[[AuditChainVerification], None]] = None,
    ) -> AuditChainVerification:
        """Verifies the hash chains of the log part by part, and returns the result. It says where
        a chain does not hold; that is no error. Administrators of the installation may name a
        tenant."""
        cursor: Optional[str] = None
        while True:
            parameters = given({"tenant_id": tenant_id, "cursor": cursor})
            answer = await self._calls.call("verifyAuditChain", parameters=parameters)
            part = cast(AuditChainVerification, answer)
            if on_progress is not None:
                on_progress(part)
            cursor = part["next_cursor"]
            if cursor is None:
                return part


def _text_of(time: Optional[Time]) -> Optional[str]:
    if isinstance(time, int):
        seconds, millis = divmod(time, 1000)
        whole = datetime.fromtimestamp(seconds, timezone.utc)
        return whole.replace(microsecond=millis * 1000).isoformat(timespec="milliseconds")
    return time.isoformat() if isinstance(time, datetime) else time
