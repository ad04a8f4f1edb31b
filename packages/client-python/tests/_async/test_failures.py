"""Failures: their codes, and what is sent again."""

from __future__ import annotations

import json
from typing import Any, List

import httpx
import pytest

from agentkeep import (
    AgentkeepError,
    AsyncAgentkeep,
    AsyncClock,
    InvalidError,
    RateLimitedError,
    Retry,
    UnauthenticatedError,
    UnavailableError,
)
from agentkeep.documents import Scope

from ..conftest import Tenant
from ..running import run

SCOPE: Scope = {"project_id": "p", "agent_id": "a", "visibility": "private"}
RECORD: Any = {"episode_type": "Observation", "content": {"primary": "x"}, "event_time_millis": 0}
RECEIPT = {"contract_version": 1, "receipt": {"record_id": "r", "revision": 1}}


class Script:
    """Answers requests one after the other, and keeps them."""

    def __init__(self, *answers: Any) -> None:
        self.requests: List[httpx.Request] = []
        self.waits: List[float] = []
        self._answers = list(answers)

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self._answer)

    @property
    def clock(self) -> AsyncClock:
        async def pause(seconds: float) -> None:
            self.waits.append(seconds)

        return AsyncClock(lambda: sum(self.waits), pause, lambda: 0.0)

    def bodies(self) -> List[Any]:
        return [json.loads(each.content) for each in self.requests]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        status, headers, body = answer
        return httpx.Response(status, headers=headers, json=body)


def refusal(status: int, code: str, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return (status, named, {"contract_version": 1, "error": {"code": code, "message": "m"}})


def agent_of(script: Script, **options: Any) -> AsyncAgentkeep:
    return AsyncAgentkeep(
        "http://server/", "ak1_x", transport=script.transport, clock=script.clock, **options
    )


@run
async def test_a_command_keeps_its_key_in_all_tries() -> None:
    script = Script(
        httpx.ConnectError("refused"),
        refusal(500, "internal_error"),
        (502, {}, "a proxy"),
        refusal(429, "rate_limit_exceeded", Retry_After="3"),
        (200, {}, RECEIPT),
    )
    async with agent_of(script) as agent:
        assert (await agent.memory.in_(SCOPE).create(RECORD))["record_id"] == "r"
    assert script.waits == [0.2, 0.4, 0.8, 3.0]
    keys = {body["idempotency_key"] for body in script.bodies()}
    assert len(script.requests) == 5 and len(keys) == 1


@run
async def test_a_write_without_a_name_is_sent_again_only_if_nothing_was_done() -> None:
    spec: Any = {"subject_id": "s", "capabilities": ["memory_read"], "grants": []}
    lost = Script(httpx.ReadTimeout("late"))
    async with agent_of(lost) as agent:
        with pytest.raises(UnavailableError) as failure:
            await agent.credentials.issue(spec)
    assert failure.value.code == "server_unreachable" and failure.value.retryable
    assert isinstance(failure.value.__cause__, httpx.ReadTimeout)
    busy = Script(refusal(503, "service_busy", Retry_After="1"), (201, {}, {"contract_version": 1}))
    async with agent_of(busy) as agent:
        await agent.credentials.issue(spec)
    assert busy.waits == [1.0]


@run
async def test_a_call_ends_when_the_wait_is_longer_than_what_is_left() -> None:
    script = Script(refusal(429, "rate_limit_exceeded", Retry_After="31"))
    async with agent_of(script) as agent:
        with pytest.raises(RateLimitedError):
            await agent.who_am_i()
    assert script.waits == []
    once = Script(httpx.ConnectError("refused"))
    async with agent_of(once, retry=False) as agent:
        with pytest.raises(UnavailableError):
            await agent.who_am_i()
    thrice = Script(*[httpx.ConnectError("refused") for _ in range(3)])
    async with agent_of(thrice, retry=Retry(tries=3, first_wait_seconds=1)) as agent:
        with pytest.raises(UnavailableError):
            await agent.who_am_i()
    assert thrice.waits == [1.0, 2.0]


@run
async def test_an_answer_of_another_service_is_unexpected() -> None:
    answers: List[Any] = [(200, {}, "text"), (200, {}, {"contract_version": 2}), (404, {}, {})]
    for answer in answers:
        script = Script(answer)
        async with agent_of(script) as agent:
            with pytest.raises(AgentkeepError) as failure:
                await agent.who_am_i()
        assert failure.value.code == "unexpected_answer"
        assert failure.value.details == {"status": answer[0]}


@run
async def test_an_api_key_goes_in_its_own_header_and_a_wait_beside_the_timeout() -> None:
    page = {"contract_version": 1, "page": {"changes": [], "next_after": "c"}}
    script = Script((200, {}, page))
    key = "ak_live_x"
    async with AsyncAgentkeep("http://server", key, transport=script.transport) as agent:
        await agent.memory.changes_page(wait_millis=30_000)
    (sent,) = script.requests
    assert sent.headers["X-API-Key"] == key and "Authorization" not in sent.headers
    assert sent.extensions["timeout"]["read"] == 90.0


@run
async def test_errors_of_a_server_have_their_code_members_and_class(tenant: Tenant) -> None:
    async with AsyncAgentkeep(tenant.url, "ak1_unknown") as nobody:
        with pytest.raises(UnauthenticatedError) as refused:
            await nobody.who_am_i()
        assert refused.value.code == "unauthorized" and not refused.value.retryable
    async with AsyncAgentkeep(tenant.url, tenant.secret(SCOPE)) as agent:
        with pytest.raises(InvalidError) as invalid:
            await agent.memory.in_(SCOPE).query_page(limit=0)
        assert [each.path for each in invalid.value.members] == ["filter.limit"]


@run
async def test_a_server_that_is_not_there_is_unreachable() -> None:
    async with AsyncAgentkeep("http://127.0.0.1:1", "ak1_x", retry=False) as agent:
        with pytest.raises(UnavailableError) as failure:
            await agent.health()
        assert failure.value.code == "server_unreachable"


def test_wrong_options_are_named() -> None:
    wrong: List[Any] = [
        ({"url": "server"}, "url"),
        ({"secret": ""}, "secret"),
        ({"secret": "ak1_\u2026"}, "secret"),
        ({"timeout_seconds": 0}, "timeout_seconds"),
        ({"retry": Retry(tries=0)}, "retry.tries"),
        ({"retry": Retry(total_seconds=-1)}, "retry.total_seconds"),
    ]
    for options, path in wrong:
        given: Any = {"url": "http://server", "secret": "ak1_x", **options}
        with pytest.raises(InvalidError) as refused:
            AsyncAgentkeep(**given)
        assert refused.value.members[0].path == path


@pytest.mark.parametrize("url", [["http://one", "http://two/"], "http://one, http://two/"])
@run
async def test_a_call_goes_on_at_the_next_server_at_once_and_stays_there(url: Any) -> None:
    identity: Any = (200, {}, {"contract_version": 1, "credential": {"id": "c"}})
    stopping = refusal(503, "server_stopping", Retry_After="1")
    script = Script(stopping, identity, httpx.ConnectError("gone"), identity)
    agent = AsyncAgentkeep(url, "ak1_x", transport=script.transport, clock=script.clock)
    for _ in range(2):
        assert (await agent.who_am_i())["id"] == "c"
    assert [each.url.host for each in script.requests] == ["one", "two", "two", "one"]
    assert script.waits == [0.0, 0.0]


def test_a_list_of_servers_is_checked() -> None:
    wrong: list[Any] = [[], ["http://a"] * 17, ["http://a", "b"], "http://a,,"]
    for url in wrong:
        with pytest.raises(AgentkeepError) as raised:
            AsyncAgentkeep(url, "ak1_x")
        assert raised.value.code == "invalid_request"
