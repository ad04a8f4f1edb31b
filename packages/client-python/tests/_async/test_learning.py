"""Learning, tools and experiences."""

from __future__ import annotations

from typing import Any, Dict, List

import pytest

from agentkeep import AsyncAgentkeep, NotFoundError, Run
from agentkeep.documents import EvaluationContext, EvaluationSubmission, PolicyDefinition, Scope

from ..conftest import Tenant
from ..running import run

SHA = "ab" * 32
IMAGE = f"sha256:{SHA}"

POLICY: PolicyDefinition = {
    "algorithm": "fixed_budget_hoeffding_v1",
    "parameters": {
        "qualification_trials": 4,
        "confidence_delta": 0.4,
        "min_improvement": 0,
        "min_candidate_utility": 0.5,
        "max_cost_units": 10,
        "max_latency_ms": 100,
        "max_failure_streak": 3,
        "evaluator_id": "judge",
        "evaluation_contract": "bench-v1",
    },
}

CONTEXT: EvaluationContext = {
    "task": "summarise",
    "baseline_revision": "base-1",
    "model_provider": "local",
    "model_revision": "m1",
    "environment_revision": "env-1",
    "evaluation_contract": "bench-v1",
    "dataset_revision": "data-1",
    "harness_revision": "harness-1",
    "permissions_revision": "perm-1",
    "tools": {"search": "v1"},
}


def trial(case_id: str) -> EvaluationSubmission:
    return {
        "case_id": case_id,
        "phase": "Qualification",
        "policy_id": "policy",
        "context_id": "context",
        "baseline_revision": "base-1",
        "evidence_ref": f"evidence of {case_id}",
        "status": "complete",
        "baseline_utility": 0,
        "candidate_utility": 1,
        "candidate_cost_units": 10,
        "candidate_latency_ms": 100,
    }


@run
async def test_a_procedure_qualifies_and_is_selected(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope, subject_id="judge")) as agent:
        learning = agent.learning
        entry = await learning.register_policy("policy", POLICY)
        assert await learning.policy("policy") == entry
        context = await learning.register_context("context", CONTEXT)
        assert await learning.context("context") == context
        page = await learning.policies_page(limit=1)
        assert len(page["items"]) == 1
        # Other tests of the tenant may have registered theirs.
        assert entry in [each async for each in learning.policies(limit=1)]
        assert context in [each async for each in learning.contexts(limit=1)]
        choice: Any = {"policy_id": "policy", "context_id": "context"}
        baseline = await learning.select(scope, **choice, max_instruction_bytes=1000)
        assert baseline["type"] == "baseline"
        await learning.propose(
            scope,
            {
                "id": "twice",
                "policy_id": "policy",
                "context_id": "context",
                "instructions": "Read twice, then write.",
                "source_refs": ["trace-9"],
            },
        )
        for number in range(4):
            receipt = await learning.evaluate(scope, "twice", trial(f"case-{number}"))
            assert await learning.admission(scope, "twice", f"case-{number}") == receipt
        assert (await learning.procedure(scope, "twice"))["record"]["state"] == "Active"
        selected = await learning.select(scope, **choice, max_instruction_bytes=1000)
        assert selected["type"] == "procedure"
        receipts = [each async for each in learning.evaluations(scope, "twice", limit=3)]
        assert [each["submission"]["case_id"] for each in receipts] == [
            f"case-{number}" for number in range(4)
        ]
        (listed,) = [each async for each in learning.procedures(scope)]
        assert (listed["id"], listed["state"]) == ("twice", "Active")


@run
async def test_a_tool_is_requested_reported_and_kept(tenant: Tenant, scope: Scope) -> None:
    worker = tenant.secret(scope, subject_id="worker")
    async with AsyncAgentkeep(tenant.url, worker) as agent:
        tools = agent.tools
        executor = await tools.register_executor(
            {
                "id": "builder",
                "subject_id": "worker",
                "runtime_image_digest": IMAGE,
                "environment_revision": "e1",
                "permissions_revision": "p1",
                "max_cost_units": 100,
                "max_latency_ms": 60_000,
            }
        )
        assert await tools.read_executor("builder") == executor
        artifact: Any = {
            "id": "tool",
            "source": "export const run = () => 1;\n",
            "dependency_lock": "",
            "runtime_image_digest": IMAGE,
            "entrypoint": "run",
            "input_schema": {"type": "object"},
            "output_schema": True,
            "source_refs": ["trace:1", "development:dev"],
        }
        await tools.request_development(
            scope, {"id": "dev", "executor_id": "builder", "objective": "Make it."}
        )
        event = await tools.report(
            scope,
            "dev",
            {
                "executor_profile_digest": executor["profile_digest"],
                "outcome": "succeeded",
                "evidence_ref": "log:1",
                "cost_units": 5,
                "latency_ms": 50,
                "artifact": artifact,
            },
            event_id="report",
            expected_revision=1,
        )
        assert await tools.read_development_event(scope, "dev", "report") == event
        assert [each async for each in tools.development_events(scope, "dev")] == [event]
        assert (await tools.read_development(scope, "dev"))["revision"] == 2
        with pytest.raises(NotFoundError):
            await tools.read_artifact(scope, "none")
        registered = await tools.register_artifact(scope, artifact)
        assert await tools.read_artifact(scope, "tool") == registered
        assert [each async for each in tools.artifacts(scope)] == [registered]
        (development,) = [each async for each in tools.developments(scope)]
        assert development == await tools.read_development(scope, "dev")
        await tools.request_development(
            scope, {"id": "other", "executor_id": "builder", "objective": "Make another."}
        )
        await tools.request_cancellation(
            scope, "other", "Not needed.", event_id="stop", expected_revision=1
        )


@run
async def test_an_attempt_is_registered_and_observed(tenant: Tenant, scope: Scope) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope, subject_id="judge")) as agent:
        await agent.learning.register_context("context", CONTEXT)
        experiences = agent.experiences
        receipt = await experiences.register(
            scope,
            {
                "id": "attempt",
                "context_id": "context",
                "reporter_subject_id": "judge",
                "accounting_unit": "credit-v1",
                "input": {"reference": "in:1", "sha256": SHA},
            },
        )
        attempt = await experiences.read(scope, "attempt")
        assert attempt["revision"] == 1
        event = await experiences.observe(
            scope,
            "attempt",
            {
                "event_id": "outcome",
                "expected_revision": 1,
                "context_digest": receipt["context_digest"],
                "outcome": "succeeded",
                "evidence": {"reference": "log", "sha256": SHA},
            },
        )
        assert await experiences.read_event(scope, "attempt", "outcome") == event
        listed = await experiences.list_page(scope, limit=1)
        assert listed == {
            "items": [await experiences.read(scope, "attempt")],
            "next_cursor": None,
        }
        assert [each async for each in experiences.history(scope, "attempt", limit=1)] == [event]


@run
async def test_an_evaluation_over_cases_goes_on_until_it_is_decided(
    tenant: Tenant, scope: Scope
) -> None:
    async with AsyncAgentkeep(tenant.url, tenant.secret(scope, subject_id="judge")) as agent:
        parameters = POLICY["parameters"].copy()
        parameters.update({"qualification_trials": 30, "confidence_delta": 0.1})
        policy: PolicyDefinition = {"algorithm": "betting_e_process_v1", "parameters": parameters}
        await agent.learning.register_policy("early", policy)
        await agent.learning.register_context("context", CONTEXT)
        await agent.learning.propose(
            scope,
            {
                "id": "better",
                "policy_id": "early",
                "context_id": "context",
                "instructions": "Look twice.",
                "source_refs": ["source"],
            },
        )
        cases = [{"id": f"case {at}", "at": at} for at in range(20)]
        runs: List[str] = []

        async def solve(case: Dict[str, Any], it: Run) -> Dict[str, Any]:
            if len(runs) == 7:
                runs.append("an error")
                raise RuntimeError("the model is away")
            runs.append(f"{it.variant} {case['id']} {it.instructions}")
            utility = 1 if it.variant == "candidate" or case["at"] % 2 == 0 else 0
            return {"utility": utility, "cost_units": 1, "evidence": "runs/ä.txt"}

        with pytest.raises(RuntimeError):
            await agent.evaluate(scope, "better", cases, solve)
        record, submitted, known = await agent.evaluate(scope, "better", cases, solve)
        # The fifth win decides, and every other case is one.
        assert (record["state"], record["qualification_count"]) == ("Active", 10)
        assert (submitted, known) == (7, 3)
        assert len(runs) == 21
        assert len(set(runs)) == 21
        assert "candidate case 0 Look twice." in runs
        assert "baseline case 0 None" in runs
        receipt = await agent.learning.admission(scope, "better", "case 1")
        assert receipt["submission"]["baseline_utility"] == 0

        async def wrong(case: Dict[str, Any], it: Run) -> Dict[str, Any]:
            return {"utility": 2}

        await agent.learning.propose(
            scope,
            {
                "id": "other",
                "policy_id": "early",
                "context_id": "context",
                "instructions": "Guess.",
                "source_refs": ["source"],
            },
        )
        with pytest.raises(ValueError, match="from 0 to 1"):
            await agent.evaluate(scope, "other", cases, wrong)
