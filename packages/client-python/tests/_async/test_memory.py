"""Scoped memory."""

from __future__ import annotations

import unicodedata
from typing import Any, List

import pytest

from agentkeep import (
    AgentkeepError,
    AsyncAgentkeep,
    ChangedMemory,
    ConflictError,
    ForbiddenError,
    NotFoundError,
)
from agentkeep.documents import (
    AsOf,
    MemoryOperation,
    NewEmbedding,
    RecordInput,
    Scope,
    SourceRevision,
)

from ..conftest import Tenant
from ..running import run


def record(primary: str, *tags: str) -> RecordInput:
    return {
        "episode_type": "Observation",
        "content": {"primary": primary},
        "event_time_millis": 0,
        "tags": list(tags),
    }


@run
async def test_a_record_is_created_changed_read_and_deleted(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        made = await agent.memory.in_(scope).create(record("Tea."), idempotency_key="one")
        again = await agent.memory.in_(scope).create(record("Tea."), idempotency_key="one")
        assert again == made
        with pytest.raises(ConflictError) as used:
            await agent.memory.in_(scope).create(record("Coffee.", "hot"), idempotency_key="one")
        assert [member.path for member in used.value.members] == [
            "operation.record.content.primary",
            "operation.record.tags",
        ]
        id = made["record_id"]
        changed = await agent.memory.in_(scope).update(id, record("Coffee."), expected_revision=1)
        assert changed["revision"] == 2
        read = await agent.memory.in_(scope).read(id)
        assert read["payload"]["content"]["primary"] == "Coffee."
        old = await agent.memory.in_(scope).read(id, revision=1)
        assert old["payload"]["content"]["primary"] == "Tea."
        with pytest.raises(ConflictError) as conflict:
            await agent.memory.in_(scope).delete(id, expected_revision=1)
        assert conflict.value.code == "revision_conflict"
        await agent.memory.in_(scope).delete(id, expected_revision=2)
        with pytest.raises(NotFoundError) as missing:
            await agent.memory.in_(scope).read(id)
        assert missing.value.code == "record_not_found"


@run
async def test_a_name_is_put_at_the_revision_that_was_read(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        assert await memory.read(name="plan") is None
        await memory.put("plan", record("One."), expected_revision=0)
        with pytest.raises(ConflictError):
            await memory.put("plan", record("Two."), expected_revision=0)
        await memory.put("plan", record("Two."), expected_revision=1)
        plan = await memory.read(name="plan")
        assert plan is not None and plan["revision"] == 2
        await memory.delete(name="plan", expected_revision=2)
        assert await memory.read(name="plan") is None


@run
async def test_a_batch_is_done_whole_or_not_at_all(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        receipt = await memory.batch(
            [
                {"type": "put", "name": "a", "record": record("A.")},
                {"type": "create", "record": record("B.")},
            ]
        )
        assert len(receipt["outcomes"]) == 2
        with pytest.raises(NotFoundError) as refused:
            await memory.batch(
                [
                    {"type": "put", "name": "c", "record": record("C.")},
                    {"type": "remove", "name": "none"},
                ]
            )
        assert refused.value.members[0].path == "commands[1]"
        assert await memory.read(name="c") is None


@run
async def test_many_records_are_created_once(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        records = [record(f"Record {number}.") for number in range(300)]
        work = f"import/{scope['project_id']}"
        sizes: List[int] = []
        async for receipt in memory.create_many(records, idempotency_key=work):
            sizes.append(len(receipt["outcomes"]))
        async for receipt in memory.create_many(records, idempotency_key=work):
            sizes.append(len(receipt["outcomes"]))
        assert sizes == [256, 44, 256, 44]
        assert (await memory.count())["matches"] == 300
        found = [each async for each in memory.query(limit=100)]
        assert len(found) == 300


@run
async def test_records_are_searched_and_counted(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        await memory.create(record("Green tea.", "drink"))
        await memory.create(record("Black tea.", "drink", "strong"))
        await memory.create(record("Bread.", "food"))
        found = memory.search({"words": {"text": "tea"}}, order="oldest", limit=1)
        texts = [each["record"]["payload"]["content"]["primary"] async for each in found]
        assert texts == ["Green tea.", "Black tea."]
        both = agent.memory.search({"tags": {"all": ["strong"]}}, scopes=[scope])
        assert len([each async for each in both]) == 1
        counts = await memory.count(by=["tag"])
        assert counts == {
            "matches": 3,
            "tags": [
                {"tag": "drink", "matches": 2},
                {"tag": "food", "matches": 1},
                {"tag": "strong", "matches": 1},
            ],
        }
        page = await memory.query_page(tags=["drink"], text_contains="BLACK")
        assert len(page["records"]) == 1


@run
async def test_memory_is_read_as_it_was(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        id = (await memory.put("drink", record("Tea.")))["record_id"]
        then = (await memory.changes_page(after="latest"))["next_after"]
        await memory.put("drink", record("Coffee."))
        await memory.create(record("Bread."))
        as_of: AsOf = {"cursor": then}
        by_id = await memory.read(id, as_of=as_of)
        for found in (by_id, await memory.read(name="drink", as_of=as_of)):
            assert found is not None and found["payload"]["content"]["primary"] == "Tea."
        assert [each["revision"] async for each in memory.query(as_of=as_of)] == [1]
        assert (await memory.count(as_of=as_of))["matches"] == 1
        recalled = await memory.recall("tea or coffee", as_of=as_of)
        assert [each["text"] for each in recalled] == ["Tea."]
        await memory.delete(id, expected_revision=2)
        left: AsOf = {"cursor": then, "missing": "left_out"}
        missing: List[int] = []
        assert await memory.recall("tea", as_of=left, on_missing=missing.append) == []
        await memory.count(as_of=left, on_missing=missing.append)
        await memory.recall("tea", on_missing=missing.append)
        assert missing == [1, 1]


@run
async def test_what_was_derived_goes_with_its_source(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        source = await memory.remember("Ann likes tea.", source="user")
        place: SourceRevision = {"record_id": source["record_id"], "revision": 1}
        derived = await memory.remember("Tea.", source="model", derived_from=[place])
        gone = await memory.delete(
            source["record_id"], expected_revision=1, dependents="cascade"
        )
        found = [each async for each in memory.dependents(gone)]
        assert [(each["record_id"], each["outcome"]) for each in found] == [
            (derived["record_id"], "deleted")
        ]


@run
async def test_a_consumer_goes_on_where_it_was_committed(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        made = [(await memory.remember(text))["record_id"] for text in ("a", "b", "c")]
        consumers = memory.consumers
        seen: List[str] = []
        async for answer in consumers.open("nightly").pages(limit=2):
            seen += [change["record_id"] for change in answer["page"]["changes"]]
        assert seen == made
        assert [page async for page in consumers.open("nightly").pages()] == []
        worker = consumers.open("nightly", lease_seconds=5)
        await worker.claim()
        with pytest.raises(ConflictError) as held:
            await consumers.open("nightly").claim()
        assert held.value.code == "consumer_held"
        assert "nightly" in [each["name"] for each in await consumers.list()]
        await consumers.delete("nightly")
        with pytest.raises(NotFoundError):
            await consumers.delete("nightly")


@run
async def test_what_changed_is_consolidated_once(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        for text in ("a", "b"):
            await memory.remember(text, source="user")

        async def propose(changed: ChangedMemory) -> List[MemoryOperation]:
            texts = [each["payload"]["content"]["primary"] for each in changed.records]
            made = record(" ".join(texts))
            return [{"type": "put", "name": "summary", "record": made}]

        done = await memory.consolidate(propose)
        assert (done.pages, done.written, done.known) == (1, 1, 0)
        assert (await memory.consolidate(propose)).written == 0
        summary = await memory.read(name="summary")
        assert summary is not None
        assert summary["payload"]["content"]["primary"] == "a b"
        assert len(summary["payload"].get("derived_from", [])) == 2


@run
async def test_history_is_walked_and_restored(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        id = (await memory.put("drink", record("Tea.")))["record_id"]
        await memory.put("drink", record("Coffee."))
        revisions = [each["revision"] async for each in memory.history(id, limit=1)]
        assert revisions == [2, 1]
        await memory.restore(id, revision=1, expected_revision=2)
        drink = await memory.read(name="drink")
        assert drink is not None and drink["payload"]["content"]["primary"] == "Tea."
        await memory.redact(id, revision=2)
        with pytest.raises(ConflictError) as current:
            await memory.redact(id, revision=3)
        assert current.value.code == "current_revision"


@run
async def test_readers_of_a_record_are_listed(tenant: Tenant, scope: Scope) -> None:
    shared = scope.copy()
    shared["visibility"] = "shared"
    async with AsyncAgentkeep(tenant.url, tenant.admin) as admin:
        before = await admin.retention.get()
        counting = await admin.retention.set(
            {"read_days": 30}, expected_revision=before["revision"]
        )
        async with AsyncAgentkeep(tenant.url, tenant.secret(shared)) as agent:
            memory = agent.memory.in_(shared)
            id = (await memory.put("drink", record("Tea.")))["record_id"]
            await memory.read(id)
            with pytest.raises(ForbiddenError):
                await memory.readers_page(id)
        audited = admin.memory.in_(shared)
        readers = [each async for each in audited.readers(id, limit=1)]
        assert [(each["subject_id"], each["reads"]) for each in readers] == [("helper", 1)]
        page = await audited.readers_page(id)
        assert (page["read_days"], page["next_cursor"]) == (30, None)
        await admin.retention.set({}, expected_revision=counting["revision"])


@run
async def test_changes_are_followed_from_a_cursor(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        first = await memory.create(record("One."))
        second = await memory.create(record("Two."))
        seen: List[str] = []
        cursor = ""
        async for change in memory.changes():
            seen.append(change["record_id"])
            if len(seen) == 1:
                cursor = change["cursor"]
            if len(seen) == 2:
                break
        assert seen == [first["record_id"], second["record_id"]]
        page = await memory.changes_page(after=cursor)
        assert [each["record_id"] for each in page["changes"]] == seen[1:]
        assert (await memory.changes_page(after="latest", wait_millis=1))["changes"] == []


@run
async def test_a_call_without_a_scope_says_how_to_name_one(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        with pytest.raises(AgentkeepError) as missing:
            await agent.memory.read(name="plan")
        assert missing.value.code == "invalid_request"
        assert missing.value.members[0].path == "scope"
        assert "agent.memory.in_(scope)" in str(missing.value)


@run
async def test_a_text_is_remembered_and_answers_a_question(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        await memory.remember("Ann lives in Berlin.", tags=["home"])
        await memory.remember("Ann likes short answers.", name="style")
        made = await memory.remember("Ann prefers short answers.", name="style", metadata={"a": 1})
        assert made["revision"] == 2
        best, *others = await memory.recall('How should I "answer" Ann?')
        assert best["text"] == "Ann prefers short answers."
        assert [term["text"] for term in best["terms"]] == ["answer", "Ann"]
        assert [each["text"] for each in others] == ["Ann lives in Berlin."]
        short = await memory.recall("Ann?", size=20)
        assert [each["text"] for each in short] == ["Ann lives in Berlin."]
        assert await memory.recall("?!") == []
        await memory.remember("アンは東京でお茶を飲みます。")
        assert (await memory.recall("東京のお茶は？"))[0]["text"].startswith("アンは東京")
        await memory.remember("배포는 금요일에 Slack에서 합니다.")
        for question in ("배포", "Slack", unicodedata.normalize("NFD", "금요일은?"), "Sla\u00adck"):
            assert (await memory.recall(question))[0]["text"].startswith("배포는")
        assert await memory.recall("Ann", filter={"tags": {"all": ["none"]}}) == []
        turns = await memory.recall("prefers", around=1)
        assert [each["record_id"] for each in turns[0]["before"]] != []
        after = [each["payload"]["content"]["primary"] for each in turns[0]["after"]]
        assert after == ["アンは東京でお茶を飲みます。"]
        assert await memory.recall("prefers", around=1, size=30) == []


@run
async def test_what_held_before_and_what_may_not_hold(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        await memory.remember("The garden has two old trees.")
        made = await memory.remember("Ann lives in Oslo.")
        for town in ("Rome", "Paris"):
            ended: Any = {"record_id": made["record_id"], "revision": made["revision"]}
            made = await memory.remember(f"Ann lives in {town}.", supersedes=[ended])
        record = await memory.read(made["record_id"])
        chain = await memory.superseded(record)
        texts = [each["payload"]["content"]["primary"] for each in chain]
        assert texts == ["Ann lives in Rome.", "Ann lives in Oslo."]
        assert await memory.conflicts(record) == []
        other = await memory.remember("In the spring, Ann lives in Paris.")
        found = await memory.conflicts(record)
        assert [each["record"]["record_id"] for each in found] == [other["record_id"]]
        assert (found[0]["overlap"], found[0]["is_namesake"]) == (1, False)
        with pytest.raises(AgentkeepError) as wrong:
            await memory.conflicts(record, overlap=0)
        assert wrong.value.members[0].path == "overlap"


@run
async def test_embeddings_of_two_models(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        memory = agent.memory.in_(scope)
        one = await memory.remember("Ann likes tea.")
        two = await memory.remember("Bob likes rain.")
        values = [([1.0, 0.0], one), ([0.0, 1.0], two)]
        embeddings: List[NewEmbedding] = [
            {"record_id": made["record_id"], "revision": 1, "values": vector}
            for vector, made in values
        ]
        attached = await memory.spaces.attach(embeddings, space="new")
        assert attached == [True, True]
        found = await memory.recall("a drink", vector=[1.0, 0.0], space="new")
        assert [(each["text"], each["terms"]) for each in found][0] == ("Ann likes tea.", [])
        assert found[0]["distance"] == pytest.approx(0)
        found = await memory.recall("?", vector=[0.0, 1.0], space="new")
        assert [each["text"] for each in found] == ["Bob likes rain.", "Ann likes tea."]
        assert (await memory.spaces.use("new"))["default_space"] == "new"
        left = await memory.spaces.drop("default")
        assert [each["space"] for each in left["spaces"]] == ["default", "new"]
        assert (await memory.spaces.list())["spaces"] == left["spaces"]


@run
async def test_a_branch_has_records_of_its_own(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope)) as agent:
        await agent.memory.in_(scope).create(record("Outside."))
        branch = await agent.branches.create("trial", [scope], purpose="to try")
        inside = agent.memory.in_(scope, branch=branch["id"])
        await inside.create(record("Inside."))
        assert (await inside.count())["matches"] == 2
        assert (await agent.memory.in_(scope).count())["matches"] == 1
        assert [each["id"] async for each in agent.branches.list()] == [branch["id"]]
        assert (await agent.branches.get(branch["id"]))["purpose"] == "to try"
        compared = await agent.branches.diff_page(branch["id"])
        assert [each["base_revision"] for each in compared["page"]["items"]] == [None]
        merge = await agent.branches.merge(branch["id"], digest=compared["digest"])
        assert (merge["state"], merge["merged"]) == ("merged", 1)
        assert [each async for each in agent.branches.diff(branch["id"])] == []
        assert (await agent.memory.in_(scope).count())["matches"] == 2
        await agent.branches.drop(branch["id"])
        with pytest.raises(NotFoundError) as ended:
            await inside.count()
        assert ended.value.code == "branch_not_found"


@run
async def test_a_proposal_waits_for_another_subject(tenant: Tenant, scope: Scope) -> None:
    shared: Scope = {
        "project_id": scope["project_id"],
        "agent_id": scope["agent_id"],
        "visibility": "shared",
    }
    proposer = tenant.secret(shared, subject_id="paul", can=["memory_read", "memory_propose"])
    reviewer = tenant.secret(shared, subject_id="rita", can=["memory_read", "memory_review"])
    async with AsyncAgentkeep(tenant.url, proposer) as paul:
        async with AsyncAgentkeep(tenant.url, reviewer) as rita:
            made = await paul.proposals.propose(
                shared, {"type": "create", "record": record("Proposed.")}, purpose="to try"
            )
            assert made["proposal"]["state"] == "proposed"
            branch = await paul.branches.create("trial", [shared])
            submitted = await paul.proposals.submit(branch["id"], purpose="done")
            page = await rita.proposals.list_page(scope=shared, limit=1)
            assert page["items"][0]["purpose"] == "to try"
            waiting = [each["id"] async for each in rita.proposals.list()]
            assert waiting == [made["proposal"]["id"], submitted["id"]]
            digest = (await rita.branches.diff_page(waiting[0]))["digest"]
            merge = await rita.branches.merge(waiting[0], digest=digest)
            assert merge["state"] == "merged"
            merged = await paul.memory.in_(shared).read(made["record_id"])
            assert merged["merged_by"]["subject_id"] == "rita"
            rejected = await rita.proposals.reject(submitted["id"], "Nothing in it.")
            assert rejected["reason"] == "Nothing in it."
