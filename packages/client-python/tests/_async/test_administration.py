"""Credentials, audit, retention and logins."""

from __future__ import annotations

import uuid
from datetime import datetime, timezone
from typing import List

import pytest

from agentkeep import (
    AgentkeepError,
    AsyncAgentkeep,
    ForbiddenError,
    NotFoundError,
    UnauthenticatedError,
)
from agentkeep.documents import Scope

from ..conftest import Tenant
from ..running import run

PASSWORD = "Correct-Horse-7"


@run
async def test_a_client_knows_itself_and_its_server(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        assert (await agent.health())["status"] == "healthy"
        credential = await agent.who_am_i()
        assert (credential["tenant_id"], credential["spec"]["subject_id"]) == ("acme", "helper")
        with pytest.raises(ForbiddenError):
            await agent.credentials.inspect(credential["id"])


@run
async def test_a_credential_is_issued_rotated_and_revoked(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        issued = await admin.credentials.issue(
            {"subject_id": "reader", "capabilities": ["memory_read"], "grants": [scope]}
        )
        id = issued["credential"]["id"]
        changed = await admin.credentials.change_scope_authority(
            id, {"grants": []}, expected_revision=1
        )
        assert changed["spec"]["grants"] == []
        rotated = await admin.credentials.rotate(id, expected_revision=2)
        async with AsyncAgentkeep(tenant.url, issued["secret"]) as old:
            with pytest.raises(UnauthenticatedError):
                await old.who_am_i()
        async with AsyncAgentkeep(tenant.url, rotated["secret"]) as new:
            assert (await new.who_am_i())["id"] == id
            again = await admin.credentials.rotate(id, expected_revision=3, overlap_seconds=60)
            assert again["credential"]["previous_secret"]["last_used_at_millis"] is None
            assert (await new.who_am_i())["revision"] == 4
        await admin.credentials.revoke(id, expected_revision=4)
        actions = [each["action"] async for each in admin.credentials.history(id, limit=2)]
        assert actions == ["revoked", "rotated", "rotated", "scope_authority_changed", "issued"]
        assert id in [each["id"] async for each in admin.credentials.list(limit=5)]


@run
async def test_the_audit_log_is_read_page_by_page(tenant: Tenant, scope: Scope) -> None:
    started = datetime.now(timezone.utc).replace(microsecond=0)
    subject = str(uuid.uuid4())
    tenant.secret(scope, subject_id=subject)
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        first = await admin.audit.query_page(limit=1, result="success")
        assert len(first["events"]) == 1 and first["next_cursor"] is not None
        events = [each async for each in admin.audit.query(limit=2, start_time=started)]
        assert events
        of_one = await admin.audit.query_page(resource=events[0]["resource"])
        assert {each["resource"] for each in of_one["events"]} == {events[0]["resource"]}
        later = await admin.audit.query_page(end_time=0)
        assert later["events"] == []
        parts: List[str] = []
        whole = await admin.audit.verify(on_progress=lambda part: parts.append(part["status"]))
        assert whole["status"] == "verified" and whole["broken"] is None
        assert parts[-1] == "verified"


@run
async def test_retention_is_narrowed_for_a_scope(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        shown = await admin.retention.set({"revisions_max": 7}, expected_revision=0, scope=scope)
        assert shown["effective"]["revisions_max"] == 7
        assert await admin.retention.get(scope) == shown
        assert (await admin.retention.get())["scope"] is None


@run
async def test_an_export_changes_nothing_when_it_is_imported_again(
    tenant: Tenant, scope: Scope
) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        texts = [each async for each in admin.exports.texts({"type": "tenant"})]
        lines = "".join(texts).splitlines()
        assert lines[0].startswith('{"line":"export"') and "manifest" in lines[-1]
        outcome = await admin.exports.import_texts(texts)
        scopes = sum(line.startswith('{"line":"scope"') for line in lines)
        assert outcome["unchanged"] == len(lines) - 2 - scopes
        assert outcome["stored"] == 0 and outcome["refused"] == 0
        dry = await admin.exports.import_texts(["{}\n"], dry_run=True)
        assert dry["problems"] == [{"line": 1, "reason": "invalid"}]
        whole = "".join(texts)
        for broken, fault in (
            (whole[:-20], "is cut"),
            (whole.replace('"sha256":"', '"sha256":"0'), "is damaged"),
        ):
            with pytest.raises(AgentkeepError, match=fault):
                await admin.exports.import_texts([broken], dry_run=True)


@run
async def test_a_person_logs_in_renews_and_logs_out(tenant: Tenant) -> None:
    username = str(uuid.uuid4())
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        await admin.call("createUser", document={"username": username, "password": PASSWORD})
    person = await AsyncAgentkeep.log_in(
        tenant.url, username=username, password=PASSWORD, tenant_id="acme"
    )
    async with person:
        assert person.tokens is not None and person.tokens["username"] == username
        user = await person.call("getUser", id=person.tokens["user_id"])
        assert user["username"] == username
        token = (await person.session.refresh())["access_token"]
        assert token != person.tokens["access_token"]
        await person.session.revoke(person.tokens["access_token"])
        user_id = user["id"]
        (session,) = await person.session.list(user_id)
        assert (session["kind"], session["is_current"]) == ("jwt", True)
        other = await AsyncAgentkeep.log_in(
            tenant.url, username=username, password=PASSWORD, tenant_id="acme"
        )
        async with other:
            newest = (await person.session.list(user_id))[0]["session_id"]
            await person.session.end(user_id, newest)
            with pytest.raises(UnauthenticatedError):
                await other.session.list(user_id)
        with pytest.raises(NotFoundError):
            await person.session.end(user_id, newest)
        await person.session.log_out()
        with pytest.raises(UnauthenticatedError):
            await person.call("getUser", id=person.tokens["user_id"])
    with pytest.raises(UnauthenticatedError) as wrong:
        await AsyncAgentkeep.log_in(
            tenant.url, username=username, password="Wrong-Horse-7", tenant_id="acme"
        )
    assert wrong.value.code == "invalid_login"


@run
async def test_people_sign_in_by_an_issuer(tenant: Tenant) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        revision = (await admin.sign_in.settings())["revision"]
        stated = await admin.sign_in.put_settings(
            [
                {
                    "name": "staff",
                    "issuer": "https://127.0.0.1:1",
                    "client_id": "agentkeep",
                    "client_secret": "hush",
                    "rules": [{"claims": [{"path": ["groups"], "value": "memory"}]}],
                }
            ],
            expected_revision=revision,
        )
        assert stated["issuers"][0]["has_client_secret"]
        methods = await admin.sign_in.methods(tenant_id="acme")
        assert methods == {"allows_passwords": True, "issuers": ["staff"]}
        back = "https://app.example.test/back"
        with pytest.raises(AgentkeepError) as down:
            await admin.sign_in.begin("staff", back, tenant_id="acme")
        assert down.value.code == "issuer_unavailable"
        with pytest.raises(UnauthenticatedError) as refused:
            await admin.sign_in.complete("none", "code=x")
        assert refused.value.code == "sign_in_refused"
        await admin.sign_in.put_settings([], expected_revision=revision + 1)


@run
async def test_a_person_is_invited_and_sets_a_password(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        name = f"{uuid.uuid4()}@example.com"
        invited = await admin.people.invite(name, email=name, role="reader", scopes=[scope])
        assert invited["path"] == f"/invitation?code={invited['code']}"
        waiting = [each["user"]["username"] async for each in admin.people.invitations()]
        assert name in waiting
        accepted = await admin.people.accept_invitation(invited["code"], PASSWORD)
        assert accepted == {"username": name, "tenant_id": "acme"}
        person = await AsyncAgentkeep.log_in(
            tenant.url, username=name, password=PASSWORD, tenant_id="acme"
        )
        async with person:
            assert (await person.who_am_i())["spec"]["subject_id"] == name
        with pytest.raises(AgentkeepError) as ended:
            await admin.people.accept_invitation(invited["code"], PASSWORD)
        assert ended.value.code == "invitation_ended"
        whose = invited["invitation"]["user"]["id"]
        link = await admin.people.create_reset_link(whose, valid_hours=1)
        await admin.people.accept_invitation(link["code"], PASSWORD + "x")
        other = await admin.people.invite(f"x-{name}", role="writer", scopes=[scope])
        await admin.people.revoke_invitation(other["invitation"]["user"]["id"])
