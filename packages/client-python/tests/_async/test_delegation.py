"""A service acts for its users with one secret."""

from __future__ import annotations

import uuid

import pytest

from agentkeep import AsyncAgentkeep
from agentkeep.documents import Scope
from agentkeep.errors import ForbiddenError, NotFoundError

from ..conftest import Tenant
from ..running import run


@run
async def test_a_service_acts_for_its_users(tenant: Tenant, scope: Scope) -> None:
    own: Scope = {
        "project_id": scope["project_id"],
        "agent_id": scope["agent_id"],
        "visibility": "private",
    }
    ann, bob = f"user-{uuid.uuid4()}", f"user-{uuid.uuid4()}"
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        issued = await admin.credentials.issue(
            {
                "subject_id": "support",
                "capabilities": ["memory_read", "memory_write", "act_for"],
                "grants": [own],
                "act_for": {"mode": "prefix", "prefix": "user-"},
            }
        )
        async with AsyncAgentkeep(tenant.url, issued["secret"]) as support:
            one, two = support.for_(ann), support.for_(bob)
            receipt = await one.memory.in_(own).remember("Ann prefers tea.")
            assert receipt["author"] == {
                "subject_id": ann,
                "credential_id": issued["credential"]["id"],
            }
            assert len(await one.memory.in_(own).recall("tea")) == 1
            assert len(await two.memory.in_(own).recall("tea")) == 0
            assert (await two.who_am_i())["acting_service"] == {"subject_id": "support"}
            with pytest.raises(ForbiddenError):
                await support.for_("ops").who_am_i()
            await one.aclose()
            # Its connections are those of the service, and its token is kept.
            assert len(await support.for_(ann).memory.in_(own).recall("tea")) == 1
            subject = {"expected_revision": 0, "contract_version": 1, "is_blocked": True}
            await admin.call("putSubject", id=ann, document=subject)
        async with AsyncAgentkeep(tenant.url, issued["secret"]) as later:
            with pytest.raises(ForbiddenError):
                await later.for_(ann).who_am_i()


@run
async def test_an_administrator_pauses_an_agent_and_resumes_it(tenant: Tenant) -> None:
    agent_id = f"agent-{uuid.uuid4()}"
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        issued = await admin.credentials.issue(
            {"subject_id": agent_id, "capabilities": ["memory_read"], "grants": []}
        )
        with pytest.raises(NotFoundError):
            await admin.access.resume(agent_id)
        async with AsyncAgentkeep(tenant.url, issued["secret"]) as agent:
            paused = await admin.access.pause(agent_id, "It repeats itself.")
            assert paused["is_blocked"] is True
            assert paused["reason"] == "It repeats itself."
            with pytest.raises(ForbiddenError) as refusal:
                await agent.who_am_i()
            assert refusal.value.code == "subject_blocked"
            # A second pause is a change of the reason.
            assert (await admin.access.pause(agent_id))["revision"] == 2
            resumed = await admin.access.resume(agent_id)
            assert (resumed["is_blocked"], resumed["revision"]) == (False, 3)
            assert await admin.access.resume(agent_id) == resumed
            assert (await agent.who_am_i())["spec"]["subject_id"] == agent_id
