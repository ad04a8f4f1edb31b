"""The programs of the guide and of the README run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict

import pytest

from agentkeep.documents import Scope

from .conftest import Tenant

_PACKAGE = Path(__file__).parents[1]
_GUIDE = _PACKAGE.parents[1] / "docs" / "guides" / "python.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def program_of(page: Path) -> str:
    return "\n".join(_BLOCK.findall(page.read_text(encoding="utf-8")))


def test_the_program_of_the_guide(
    tenant: Tenant,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    scope: Scope = {"project_id": "demo", "agent_id": "assistant", "visibility": "private"}
    monkeypatch.setenv("AGENTKEEP_URL", tenant.url)
    monkeypatch.setenv("AGENT_SECRET", tenant.secret(scope))
    monkeypatch.setenv("ADMIN_SECRET", tenant.admin)
    monkeypatch.chdir(tmp_path)
    # A second run finds what the first one left.
    for _ in range(2):
        names: Dict[str, Any] = {"__name__": "guide"}
        exec(compile(program_of(_GUIDE), str(_GUIDE), "exec"), names)
        said = capsys.readouterr().out.splitlines()
        assert said[:3] == ["Ann prefers short answers.", "Ann prefers short answers.", "helper"]
        assert "revision_conflict" in said and "server_unreachable True" in said
        assert said[-3].startswith("created ") and said[-2:] == ["2", "healthy"]
        names["agent"].close()
        names["patient"].close()


def test_the_guide_says_which_secret_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ADMIN_SECRET", raising=False)
    with pytest.raises(SystemExit) as ended:
        exec(compile(program_of(_GUIDE), str(_GUIDE), "exec"), {"__name__": "guide"})
    assert ended.value.code == (
        "Set ADMIN_SECRET to $(cat ~/.config/agentkeep/dev-admin.secret), which `agentkeep dev` wrote."
    )


def test_the_program_of_the_readme(
    tenant: Tenant, capsys: pytest.CaptureFixture[str]
) -> None:
    scope: Scope = {"project_id": "demo", "agent_id": "assistant", "visibility": "private"}
    program = program_of(_PACKAGE / "README.md")
    program = program.replace("http://127.0.0.1:7474", tenant.url)
    exec(program.replace("ak1_…", tenant.secret(scope, subject_id="reader")), {"__name__": "readme"})
    assert capsys.readouterr().out == "Ann prefers short answers.\n"
