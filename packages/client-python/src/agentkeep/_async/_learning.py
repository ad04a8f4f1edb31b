"""Learning: policies, contexts, procedures and their evaluations."""

from __future__ import annotations

from typing import cast

from .._memory_documents import versioned
from ..documents import (
    AdmissionReceipt,
    ContextEntry,
    EvaluationContext,
    EvaluationSubmission,
    LearningProposal,
    LearningSelection,
    PolicyDefinition,
    PolicyEntry,
    Procedure,
    ProposalReceipt,
    Scope,
)
from ._calls import Calls


class AsyncLearning:
    """The learning of one agent."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def register_policy(self, id: str, definition: PolicyDefinition) -> PolicyEntry:
        """Registers a policy. The same policy again returns the first entry."""
        document = versioned({"id": id, "definition": definition})
        answer = await self._calls.call("registerLearningPolicy", document=document)
        return cast(PolicyEntry, answer["entry"])

    async def policy(self, id: str) -> PolicyEntry:
        """Returns a policy."""
        answer = await self._calls.call("getLearningPolicy", id=id)
        return cast(PolicyEntry, answer["entry"])

    async def register_context(self, id: str, context: EvaluationContext) -> ContextEntry:
        """Registers a context. The same context again returns the first entry."""
        document = versioned({"id": id, "context": context})
        answer = await self._calls.call("registerLearningContext", document=document)
        return cast(ContextEntry, answer["entry"])

    async def context(self, id: str) -> ContextEntry:
        """Returns a context."""
        answer = await self._calls.call("getLearningContext", id=id)
        return cast(ContextEntry, answer["entry"])

    async def propose(self, scope: Scope, proposal: LearningProposal) -> ProposalReceipt:
        """Proposes a procedure. A repeat returns the first receipt."""
        document = versioned({"scope": scope, "proposal": proposal})
        answer = await self._calls.call("proposeProcedure", document=document)
        return cast(ProposalReceipt, answer["receipt"])

    async def procedure(self, scope: Scope, id: str) -> Procedure:
        """Returns a procedure with its statistics."""
        document = versioned({"scope": scope, "procedure_id": id})
        answer = await self._calls.call("readProcedure", document=document)
        return cast(Procedure, answer["procedure"])

    async def evaluate(
        self, scope: Scope, procedure_id: str, submission: EvaluationSubmission
    ) -> AdmissionReceipt:
        """Submits an evaluation. ``outcome`` says whether it counted."""
        members = {"scope": scope, "procedure_id": procedure_id, "submission": submission}
        answer = await self._calls.call("admitEvaluation", document=versioned(members))
        return cast(AdmissionReceipt, answer["receipt"])

    async def admission(self, scope: Scope, procedure_id: str, case_id: str) -> AdmissionReceipt:
        """Returns the receipt of an evaluation."""
        members = {"scope": scope, "procedure_id": procedure_id, "case_id": case_id}
        answer = await self._calls.call("readEvaluationAdmission", document=versioned(members))
        return cast(AdmissionReceipt, answer["receipt"])

    async def select(
        self, scope: Scope, *, policy_id: str, context_id: str, max_instruction_bytes: int
    ) -> LearningSelection:
        """Returns the best qualified procedure, or the baseline."""
        members = {
            "scope": scope,
            "policy_id": policy_id,
            "context_id": context_id,
            "max_instruction_bytes": max_instruction_bytes,
        }
        answer = await self._calls.call("selectProcedure", document=versioned(members))
        return cast(LearningSelection, answer["selection"])
