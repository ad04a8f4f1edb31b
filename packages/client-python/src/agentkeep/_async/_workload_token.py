"""The token that the assertions of a workload are exchanged for."""

from __future__ import annotations

from typing import Any, Dict

from .._memory_documents import versioned
from ..workload import Workload
from ._calls import Server
from ._held_secret import HeldSecret


def exchanged(server: Server, workload: Workload) -> HeldSecret:
    """Returns a token that is got before the first call, and renewed before it ends."""

    async def renew() -> Dict[str, Any]:
        document = versioned(
            {"credential_id": workload.credential_id, "assertion": workload.assertion().strip()}
        )
        return await server.call(None, "issueFederatedToken", document=document)

    return HeldSecret(None, renew=renew)
