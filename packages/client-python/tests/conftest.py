"""One server for all tests: a process of ``agentkeep serve`` on a free port of loopback."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import uuid
from pathlib import Path
from typing import Iterator, List, NamedTuple, Optional, Sequence

import pytest

from agentkeep import Agentkeep
from agentkeep.documents import Capability, Scope

_COMMAND = Path(__file__).parents[2] / "server" / "dist" / "cli.js"
_NODE = os.environ.get("AGENTKEEP_NODE", "node")

#: No settings of the machine reach the server.
_ENVIRONMENT = {"PATH": os.environ.get("PATH", "")}

_ALL: List[Capability] = [
    "memory_read",
    "memory_write",
    "procedure_propose",
    "procedure_evaluate",
    "experience_read",
    "experience_write",
    "experience_report",
    "tool_read",
    "tool_develop",
    "tool_report",
    "tool_admin",
    "policy_admin",
]


class Tenant(NamedTuple):
    """A tenant of a running server."""

    url: str
    #: The secret of its administrator.
    admin: str

    def secret(
        self, *scopes: Scope, subject_id: str = "helper", can: Optional[Sequence[Capability]] = None
    ) -> str:
        """Issues a credential for these scopes, by default with every capability in them."""
        with Agentkeep(self.url, self.admin) as admin:
            capabilities = list(_ALL if can is None else can)
            spec = {"subject_id": subject_id, "capabilities": capabilities, "grants": list(scopes)}
            return admin.credentials.issue(spec)["secret"]  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def tenant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tenant]:
    """A tenant that all tests share."""
    data = str(tmp_path_factory.mktemp("data") / "store")
    made = subprocess.run(
        [_NODE, str(_COMMAND), "bootstrap-tenant", "acme", "ops", "--data-dir", data],
        check=True,
        capture_output=True,
        text=True,
        env=_ENVIRONMENT,
    )
    server = subprocess.Popen(
        [_NODE, str(_COMMAND), "serve", "--port", "0", "--data-dir", data],
        stdout=subprocess.PIPE,
        text=True,
        env=_ENVIRONMENT,
    )
    try:
        yield Tenant(_address_of(server), json.loads(made.stdout)["secret"])
    finally:
        server.terminate()
        server.wait()


def _address_of(server: "subprocess.Popen[str]") -> str:
    """Reads the log up to the line that names the address."""
    assert server.stdout is not None
    for line in server.stdout:
        entry = json.loads(line)
        if "listening" in line and "url" in entry:
            # Else the server waits once the pipe is full.
            threading.Thread(target=server.stdout.read, daemon=True).start()
            return str(entry["url"])
    raise RuntimeError("The server ended before it listened.")


@pytest.fixture
def scope() -> Scope:
    """A scope of its own for each test."""
    return {"project_id": str(uuid.uuid4()), "agent_id": "helper", "visibility": "private"}
