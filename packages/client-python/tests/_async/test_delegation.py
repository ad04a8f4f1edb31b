"""A service acts for its users with one secret."""

from __future__ import annotations

import uuid

import pytest

from agentkeep import AsyncAgentkeep
from agentkeep.documents import Scope
from agentkeep.errors import ForbiddenError

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
