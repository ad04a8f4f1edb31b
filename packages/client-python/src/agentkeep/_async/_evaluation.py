"""Evaluates a procedure: runs baseline and candidate over cases until the evidence is enough."""

from __future__ import annotations

import time
from typing import Any, Awaitable, Callable, Dict, Iterable, NamedTuple, Optional

from .._evaluation import (
    EvaluationProgress,
    RecordedRun,
    Run,
    Variant,
    digest_of,
    evidence_of,
    run_of,
)
from ..documents import AdmissionReceipt, Procedure, Scope
from ..errors import ConflictError, NotFoundError
from ._experiences import AsyncExperiences
from ._learning import AsyncLearning

RunCase = Callable[[Dict[str, Any], Run], Awaitable[Dict[str, Any]]]

_RESULT = "result"


class AsyncEvaluation(NamedTuple):
    """What all cases of an evaluation have in common."""

    learning: AsyncLearning
    experiences: AsyncExperiences
    scope: Scope
    reporter: str
    accounting_unit: str
    run: RunCase

    async def over(self, id: str, cases: Iterable[Dict[str, Any]]) -> EvaluationProgress:
        """Submits cases until the procedure is decided about, or the cases end."""
        found = await self.learning.procedure(self.scope, id)
        state = found["record"]["state"]
        submitted = known = 0
        for case in cases:
            if state != "Candidate":
                break
            if await self._admission(id, case) is not None:
                known += 1
                continue
            baseline = await self._recorded(found, case, "baseline")
            candidate = await self._recorded(found, case, "candidate")
            receipt = await self._submit(found, case["id"], baseline, candidate)
            state = receipt["state_after"]
            submitted += 1
        record = (await self.learning.procedure(self.scope, id))["record"]
        return EvaluationProgress(record, submitted, known)

    async def _admission(self, id: str, case: Dict[str, Any]) -> Optional[AdmissionReceipt]:
        try:
            return await self.learning.admission(self.scope, id, case["id"])
        except NotFoundError:
            return None

    async def _recorded(
        self, found: Procedure, case: Dict[str, Any], variant: Variant
    ) -> RecordedRun:
        """Runs one variant on a case, or returns the result that is recorded already."""
        request = found["receipt"]["request"]
        names = ["agentkeep evaluation-attempt 1", request["id"], case["id"], variant]
        id = digest_of(names)
        try:
            return run_of(id, await self.experiences.read_event(self.scope, id, _RESULT))
        except NotFoundError:
            pass
        receipt = await self.experiences.register(
            self.scope,
            {
                "id": id,
                "context_id": request["context_id"],
                "reporter_subject_id": self.reporter,
                "accounting_unit": self.accounting_unit,
                "input": {"reference": f"case:{case['id']}", "sha256": digest_of(case)},
            },
        )
        proposal = found["record"]["proposal"]
        told = proposal["instructions"] if variant == "candidate" else None
        begun = time.perf_counter()
        result = await self.run(case, Run(variant, told, proposal["baseline_revision"]))
        took = round((time.perf_counter() - begun) * 1_000)
        try:
            event = await self.experiences.observe(
                self.scope,
                id,
                {
                    "event_id": _RESULT,
                    "expected_revision": 1,
                    "context_digest": receipt["context_digest"],
                    "outcome": "succeeded",
                    "evidence": evidence_of(result),
                    "cost_units": result.get("cost_units", 0),
                    "latency_ms": result.get("latency_ms", took),
                },
            )
        except ConflictError:
            # Another process has recorded its run of the same case first.
            event = await self.experiences.read_event(self.scope, id, _RESULT)
        return run_of(id, event)

    async def _submit(
        self, found: Procedure, case_id: str, baseline: RecordedRun, candidate: RecordedRun
    ) -> AdmissionReceipt:
        """Submits a case. Everything in it is recorded, so a repeat is a replay."""
        request = found["receipt"]["request"]
        return await self.learning.evaluate(
            self.scope,
            request["id"],
            {
                "case_id": case_id,
                "phase": "Qualification",
                "policy_id": request["policy_id"],
                "context_id": request["context_id"],
                "baseline_revision": found["record"]["proposal"]["baseline_revision"],
                "evidence_ref": f"experience:{candidate.attempt_id}",
                "status": "complete",
                "baseline_utility": baseline.utility,
                "candidate_utility": candidate.utility,
                "candidate_cost_units": candidate.cost_units,
                "candidate_latency_ms": candidate.latency_ms,
                "detail": f"baseline experience:{baseline.attempt_id}",
            },
        )
