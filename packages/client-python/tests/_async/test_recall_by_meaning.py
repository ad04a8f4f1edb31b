"""Recall by words and meaning, where the server has a model and where it has it no longer."""

from __future__ import annotations

import json
from typing import Any, Dict, List

import httpx
import pytest

from agentkeep import AgentkeepError, AsyncAgentkeep
from agentkeep.documents import Scope

from ..running import run

SCOPE: Scope = {"project_id": "p", "agent_id": "a", "visibility": "private"}


def page_of(*texts: str, **members: Any) -> Dict[str, Any]:
    matches = [
        {
            "scope": SCOPE,
            "record": {
                "record_id": text,
                "payload": {"content": {"primary": text}, "event_time_millis": 0},
            },
        }
        for text in texts
    ]
    page = {"matches": matches, "next_cursor": None, "scanned_records": 0, **members}
    return {"contract_version": 1, "page": page}


class Server:
    """A server that makes embeddings, or refuses the texts of searches at a member."""

    def __init__(self) -> None:
        self.orders: List[str] = []
        self.meaning: Dict[str, Any] = {"meaning_space": "small"}
        self.refused = ""

    def answer(self, request: httpx.Request) -> httpx.Response:
        asked = json.loads(request.content)
        self.orders.append(asked["order"])
        if asked["order"] == "best_words":
            return httpx.Response(200, json=page_of("tea", **self.meaning))
        assert asked["vector"] == {"text": "A drink?"}
        if self.refused == "":
            return httpx.Response(200, json=page_of("milk", text_embedding="made"))
        members = [{"path": self.refused, "reason": "unknown", "expected": "something else"}]
        error = {"code": "invalid_request", "kind": "invalid", "retryable": False}
        error = {**error, "message": "It is refused.", "members": members}
        return httpx.Response(400, json={"contract_version": 1, "error": error})


async def texts_of(agent: AsyncAgentkeep) -> List[str]:
    return [found["text"] for found in await agent.memory.in_(SCOPE).recall("A drink?")]


@run
async def test_a_server_with_a_model_is_asked_for_the_meaning_once_it_is_known() -> None:
    server = Server()
    transport: Any = httpx.MockTransport(server.answer)
    async with AsyncAgentkeep("http://here.test", "s", transport=transport) as agent:
        assert await texts_of(agent) == ["tea", "milk"]
        assert server.orders == ["best_words", "best_words", "nearest"]
        assert await texts_of(agent) == ["tea", "milk"]
        assert server.orders[3:] == ["best_words", "nearest"]


@run
async def test_words_answer_where_the_server_has_its_model_no_longer() -> None:
    server = Server()
    transport: Any = httpx.MockTransport(server.answer)
    async with AsyncAgentkeep("http://here.test", "s", transport=transport) as agent:
        await texts_of(agent)
        server.meaning, server.refused = {}, "vector.text"
        assert await texts_of(agent) == ["tea"]
        server.orders.clear()
        assert await texts_of(agent) == ["tea"]
        assert server.orders == ["best_words"]


@run
async def test_another_refusal_is_no_reason_to_go_by_words() -> None:
    server = Server()
    transport: Any = httpx.MockTransport(server.answer)
    async with AsyncAgentkeep("http://here.test", "s", transport=transport) as agent:
        server.refused = "scopes[0]"
        with pytest.raises(AgentkeepError) as raised:
            await texts_of(agent)
    assert raised.value.code == "invalid_request"
