"""The audit log of the caller's authority."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import AsyncIterator, Optional, Union, cast

from .._circle_check import CircleCheck
from .._memory_documents import given
from ..documents import AuditEvent, AuditEventType, AuditPage, AuditResult
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
        result: Optional[AuditResult] = None,
        ip_address: Optional[str] = None,
        start_time: Optional[Time] = None,
        end_time: Optional[Time] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> AuditPage:
        """Returns one page of the matching events, newest first. Times are inclusive."""
        parameters = given(
            {
                "event_type": event_type,
                "user_id": user_id,
                "username": username,
                "action": action,
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


def _text_of(time: Optional[Time]) -> Optional[str]:
    if isinstance(time, int):
        seconds, millis = divmod(time, 1000)
        whole = datetime.fromtimestamp(seconds, timezone.utc)
        return whole.replace(microsecond=millis * 1000).isoformat(timespec="milliseconds")
    return time.isoformat() if isinstance(time, datetime) else time
