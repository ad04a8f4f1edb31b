"""A caller proves a key in place of a secret."""

from __future__ import annotations

import base64
from typing import Any, Dict, Tuple

import pytest

from agentkeep import AsyncAgentkeep
from agentkeep.documents import Scope
from agentkeep.errors import InvalidError, UnauthenticatedError

from ..conftest import Tenant
from ..running import run

ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _number(value: int) -> str:
    return _text(value.to_bytes(32, "big"))


def _ed25519() -> Tuple[Dict[str, Any], Dict[str, Any]]:
    key = ed25519.Ed25519PrivateKey.generate()
    raw = serialization.Encoding.Raw
    public = key.public_key().public_bytes(raw, serialization.PublicFormat.Raw)
    private = key.private_bytes(
        raw, serialization.PrivateFormat.Raw, serialization.NoEncryption()
    )
    jwk = {"kty": "OKP", "crv": "Ed25519", "x": _text(public)}
    return jwk, {**jwk, "d": _text(private)}


def _p256() -> Tuple[Dict[str, Any], Dict[str, Any]]:
    numbers = ec.generate_private_key(ec.SECP256R1()).private_numbers()
    point = numbers.public_numbers
    jwk = {"kty": "EC", "crv": "P-256", "x": _number(point.x), "y": _number(point.y)}
    return jwk, {**jwk, "d": _number(numbers.private_value)}


@run
async def test_a_key_takes_the_place_of_a_secret(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        for make in (_ed25519, _p256):
            public, private = make()
            issued = await admin.credentials.issue_for_key(
                {
                    "subject_id": "robot",
                    "capabilities": ["memory_read", "memory_write", "act_for"],
                    "grants": [scope],
                    "act_for": {"mode": "all"},
                },
                public,  # type: ignore[arg-type]
            )
            key = {"token": issued["token"], "private_key": private}
            async with AsyncAgentkeep(tenant.url, key=key) as robot:
                credential = await robot.who_am_i()
                assert credential["id"] == issued["credential"]["id"]
                await robot.memory.in_(scope).remember("Ships on Mondays.")
                assert (await robot.for_("ann").who_am_i())["spec"]["subject_id"] == "ann"
                next_public, _ = make()
                await admin.credentials.replace_key(
                    credential["id"],
                    next_public,  # type: ignore[arg-type]
                    expected_revision=1,
                )
                with pytest.raises(UnauthenticatedError):
                    await robot.who_am_i()
    with pytest.raises(InvalidError):
        AsyncAgentkeep(tenant.url, "ak1", key=key)
