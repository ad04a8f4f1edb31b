"""Values that JSON can't write or would change are refused before anything is sent."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any, Dict, List, Tuple

import httpx
import pytest

from agentkeep import AgentkeepError, AsyncAgentkeep
from agentkeep.documents import Scope

from ..conftest import Tenant
from ..running import run

SCOPE: Scope = {"project_id": "p", "agent_id": "a", "visibility": "private"}

cycle: Dict[str, Any] = {}
cycle["self"] = cycle
deep: List[Any] = []
for _ in range(5_000):
    deep = [deep]

ODD: List[Tuple[str, Any]] = [
    ("NaN", float("nan")),
    ("infinity", float("-inf")),
    ("half a pair", "x\ud83d"),
    ("a key of half a pair", {"\ud83d": 1}),
    ("bytes", b"x"),
    ("a set", {1}),
    ("a date", datetime(2026, 1, 31)),
    ("a function", print),
    ("a key that is no text", {1: "x"}),
    ("a cycle", cycle),
    ("depth", deep),
    ("a large integer", 1234567890123456789),
    ("a power of two that is written as another integer", -(2**60)),
    ("a huge integer", 10**400),
]


@pytest.mark.parametrize("value", [value for _, value in ODD], ids=[name for name, _ in ODD])
@run
async def test_an_odd_value_is_refused_with_its_member(value: Any) -> None:
    sent: List[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(500)

    transport = httpx.MockTransport(answer)
    async with AsyncAgentkeep("http://test", "ak1_test", transport=transport) as agent:
        memory = agent.memory.in_(SCOPE)
        record: Any = {"content": {"primary": "x", "data": {"v": value}}}
        with pytest.raises(AgentkeepError) as caught:
            await memory.create(record)
        assert caught.value.code == "invalid_request"
        path = caught.value.members[0].path
        # Of what is too deep, no member is named: the levels before it would be the whole message.
        is_deep = value is cycle or value is deep
        assert path == "" if is_deep else path.startswith("operation.record.content.data.v")
        with pytest.raises(AgentkeepError):
            [receipt async for receipt in memory.create_many([record])]
    assert sent == []


@run
async def test_a_name_of_half_a_pair_is_refused() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(500))
    async with AsyncAgentkeep("http://test", "ak1_test", transport=transport) as agent:
        with pytest.raises(AgentkeepError) as caught:
            await agent.memory.in_(SCOPE).read("\ud83d")
    assert caught.value.code == "invalid_request"


@run
async def test_a_closed_client_says_so() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(500))
    agent = AsyncAgentkeep("http://test", "ak1_test", transport=transport)
    await agent.aclose()
    with pytest.raises(AgentkeepError) as caught:
        await agent.who_am_i()
    assert caught.value.code == "store_closed"


@run
async def test_what_is_taken_comes_back_the_same(tenant: Tenant, scope: Scope) -> None:
    chance = random.Random(7)
    numbers: List[Any] = [2**53, 26278409323908150, 10**22, 1e308, 5e-324, 0, True]
    for _ in range(200):
        number = chance.choice([chance.getrandbits(chance.randrange(1, 90)), chance.random()])
        numbers.append(number)
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        taken = []
        for number in numbers:
            data: Any = {"v": number}
            try:
                receipt = await memory.create({"content": {"primary": "x", "data": data}})
            except AgentkeepError as error:
                assert error.code == "invalid_request" and abs(number) > 2**53
                continue
            found = await memory.read(receipt["record_id"])
            assert found is not None
            taken.append((number, found["payload"]["content"]["data"]))
    assert len(taken) > 100
    for number, stored in taken:
        assert stored == {"v": number}
