"""Servers that lead a client elsewhere, or never come to an end."""

from __future__ import annotations

from typing import Any, AsyncIterator, List

import httpx
import pytest

from agentkeep import AgentkeepError, AsyncAgentkeep
from agentkeep.documents import Scope

from ..running import run

SCOPE: Scope = {"project_id": "p", "agent_id": "a", "visibility": "private"}
MEGABYTE = b" " * 1_048_576


async def failure_of(agent: AsyncAgentkeep) -> AgentkeepError:
    with pytest.raises(AgentkeepError) as raised:
        await agent.who_am_i()
    return raised.value


@run
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed_and_names_its_address(status: int) -> None:
    paths: List[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        location = "https://user:word@elsewhere.test/moved?token=x#part"
        return httpx.Response(status, headers={"location": location})

    transport: Any = httpx.MockTransport(answer)
    async with AsyncAgentkeep("http://here.test", "s", transport=transport) as agent:
        error = await failure_of(agent)
    assert error.code == "unexpected_answer"
    assert "redirects to https://elsewhere.test/moved. " in error.message
    assert error.details == {"status": status, "location": "https://elsewhere.test/moved"}
    assert paths == ["/api/v1/identity"]


class EndlessBody(httpx.AsyncByteStream):
    """A body that goes on for as long as somebody reads."""

    def __init__(self) -> None:
        self.sent = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.sent += 1
            yield MEGABYTE


@run
@pytest.mark.parametrize("status", [200, 500])
async def test_an_answer_without_an_end_is_closed_at_its_bound(status: int) -> None:
    body = EndlessBody()
    transport: Any = httpx.MockTransport(lambda _: httpx.Response(status, stream=body))
    async with AsyncAgentkeep("http://here.test", "s", transport=transport) as agent:
        error = await failure_of(agent)
    assert error.code == "unexpected_answer"
    assert "larger than 8388608 bytes" in error.message
    assert body.sent == 9


@run
@pytest.mark.parametrize("length", [1, 2, 3, 7])
async def test_pages_in_a_circle_are_left(length: int) -> None:
    requests: List[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request.url.path)
        cursor = f"cursor {len(requests) % length}"
        page = {"records": [], "next_after": cursor, "scanned_records": 0}
        return httpx.Response(200, json={"contract_version": 1, "page": page})

    transport: Any = httpx.MockTransport(answer)
    async with AsyncAgentkeep("http://here.test", "s", transport=transport) as agent:
        with pytest.raises(AgentkeepError) as raised:
            async for _ in agent.memory.in_(SCOPE).query():
                pass
    assert raised.value.code == "unexpected_answer"
    assert len(requests) <= 4 * length


@run
async def test_changes_are_left_where_the_position_stays_although_there_is_more() -> None:
    page = {"changes": [], "next_after": "a", "has_more": True}
    body = {"contract_version": 1, "page": page}
    transport: Any = httpx.MockTransport(lambda _: httpx.Response(200, json=body))
    async with AsyncAgentkeep("http://here.test", "s", transport=transport) as agent:
        with pytest.raises(AgentkeepError) as raised:
            async for _ in agent.memory.changes():
                pass
    assert raised.value.code == "unexpected_answer"
