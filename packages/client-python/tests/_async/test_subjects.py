"""The credential of a subject, whose secret a file keeps."""

from __future__ import annotations

import stat
import uuid
from pathlib import Path
from typing import Any, Dict, List

import pytest

from agentkeep import AgentkeepError, AsyncAgentkeep
from agentkeep.documents import Credential, Scope

from ..conftest import Tenant
from ..running import run


async def credentials_of(tenant: Tenant, subject: str) -> List[Credential]:
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        every = [each async for each in admin.credentials.list()]
    return [each for each in every if each["spec"]["subject_id"] == subject]


@run
async def test_a_second_run_finds_the_credential_of_the_first(
    tenant: Tenant, tmp_path: Path
) -> None:
    subject, file = str(uuid.uuid4()), tmp_path / "ann.secret"
    ids = []
    for _ in range(2):
        async with await AsyncAgentkeep.agent_for(
            tenant.url, tenant.admin, subject=subject, secret_file=file
        ) as ann:
            await ann.memory.remember("Ann prefers short answers.", idempotency_key="one")
            ids.append((await ann.who_am_i())["id"])
            assert len(await ann.memory.recall("How should I answer?")) == 1
    assert ids[0] == ids[1]
    assert len(await credentials_of(tenant, subject)) == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


@run
async def test_scopes_are_added_and_replaced(
    tenant: Tenant, scope: Scope, tmp_path: Path
) -> None:
    subject, file = str(uuid.uuid4()), tmp_path / "ann.secret"
    counts = []
    for scopes, replace in ((None, False), ([scope], False), ([scope], False), ([scope], True)):
        async with await AsyncAgentkeep.agent_for(
            tenant.url,
            tenant.admin,
            subject=subject,
            secret_file=file,
            scopes=scopes,
            replace=replace,
        ) as ann:
            credential = await ann.who_am_i()
            counts.append((credential["revision"], len(credential["spec"]["grants"])))
    assert counts == [(1, 1), (2, 2), (2, 2), (3, 1)]


@run
async def test_a_secret_that_no_longer_proves_is_replaced_on_request(
    tenant: Tenant, tmp_path: Path
) -> None:
    subject, file = str(uuid.uuid4()), tmp_path / "ann.secret"

    async def called(**options: Any) -> None:
        given: Dict[str, Any] = {"subject": subject, "secret_file": file, **options}
        client = await AsyncAgentkeep.agent_for(tenant.url, tenant.admin, **given)
        await client.aclose()

    async def refused(**options: Any) -> str:
        with pytest.raises(AgentkeepError) as refusal:
            await called(**options)
        return refusal.value.code

    reader: Dict[str, Any] = {"capabilities": ["memory_read"]}
    await called()
    assert await refused(**reader) == "capabilities_differ"
    assert await refused(subject="bob") == "invalid_request"
    assert await refused(agent="a", scopes=[]) == "invalid_request"
    assert await refused(secret_file=tmp_path / "missing" / "file") == "invalid_request"
    await called(**reader, renew=True)
    old, current = await credentials_of(tenant, subject)
    assert old["revoked_at_millis"] is not None
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        await admin.credentials.revoke(current["id"], expected_revision=1)
    assert await refused(**reader) == "credential_revoked"
    await called(**reader, renew=True)
    assert len(await credentials_of(tenant, subject)) == 3
