"""A program that a trusted issuer proves."""

from __future__ import annotations

import base64
import json
import time
import uuid
from typing import Any, Dict

import pytest

from agentkeep import AgentkeepError, AsyncAgentkeep, Workload

from ..conftest import Tenant
from ..running import run

ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _part(value: Dict[str, Any]) -> str:
    return _base64url(json.dumps(value).encode())


@run
async def test_an_assertion_takes_the_place_of_a_secret(tenant: Tenant) -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
    public = {"kty": "OKP", "crv": "Ed25519", "x": _base64url(key.public_key().public_bytes(*raw))}
    name = f"ci-{uuid.uuid4()}"
    asked = []

    def assertion() -> str:
        asked.append(1)
        claims = {"aud": "agentkeep", "sub": "repo:acme/app", "exp": int(time.time()) + 600}
        signed = f"{_part({'alg': 'EdDSA', 'typ': 'JWT'})}.{_part(claims)}"
        return f"{signed}.{_base64url(key.sign(signed.encode()))}\n"

    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        trust = {
            "contract_version": 1,
            "expected_revision": 0,
            "audience": "agentkeep",
            "keys": {"mode": "inline", "keys": [public]},
        }
        await admin.call("putTrustedIssuer", id=name, document=trust)
        credential = await admin.credentials.issue_federated(
            {"subject_id": "deployer", "capabilities": ["memory_read"], "grants": []},
            {"issuer": name, "sub": {"mode": "prefix", "prefix": "repo:acme/"}},
        )
    workload = Workload(credential["id"], assertion)
    async with AsyncAgentkeep(tenant.url, workload=workload) as agent:
        assert (await agent.who_am_i())["id"] == credential["id"]
        assert (await agent.who_am_i())["spec"]["subject_id"] == "deployer"
        assert len(asked) == 1
    async with AsyncAgentkeep(tenant.url, workload=Workload(credential["id"], str)) as nothing:
        with pytest.raises(AgentkeepError):
            await nothing.who_am_i()
    with pytest.raises(AgentkeepError):
        AsyncAgentkeep(tenant.url, "secret", workload=workload)
