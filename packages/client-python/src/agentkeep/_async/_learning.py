"""Learning: policies, contexts, procedures and their evaluations."""

from __future__ import annotations

from typing import AsyncIterator, Optional, cast

from .._memory_documents import given, versioned
from ..documents import (
    AdmissionReceipt,
    AdmissionReceiptsPage,
    ContextEntriesPage,
    ContextEntry,
    EvaluationContext,
    EvaluationSubmission,
    LearningProposal,
    LearningSelection,
    ListedProcedure,
    ListedProceduresPage,
    PolicyDefinition,
    PolicyEntriesPage,
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

    async def policies_page(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> PolicyEntriesPage:
        """Returns one page of the policies of the tenant."""
        parameters = versioned({"limit": limit, "cursor": cursor})
        answer = await self._calls.call("listLearningPolicies", parameters=parameters)
        return cast(PolicyEntriesPage, answer["page"])

    async def policies(self, *, limit: Optional[int] = None) -> AsyncIterator[PolicyEntry]:
        """Yields the policies of the tenant, in a fixed order that isn't of time."""
        cursor: Optional[str] = None
        while True:
            page = await self.policies_page(limit=limit, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def contexts_page(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> ContextEntriesPage:
        """Returns one page of the contexts of the tenant."""
        parameters = versioned({"limit": limit, "cursor": cursor})
        answer = await self._calls.call("listLearningContexts", parameters=parameters)
        return cast(ContextEntriesPage, answer["page"])

    async def contexts(self, *, limit: Optional[int] = None) -> AsyncIterator[ContextEntry]:
        """Yields the contexts of the tenant, in a fixed order that isn't of time."""
        cursor: Optional[str] = None
        while True:
            page = await self.contexts_page(limit=limit, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

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

    async def procedures_page(
        self,
        scope: Scope,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> ListedProceduresPage:
        """Returns one page of the procedures of a scope, with where each stands."""
        members = {"scope": scope, "limit": limit, "cursor": cursor}
        answer = await self._calls.call("listProcedures", document=versioned(given(members)))
        return cast(ListedProceduresPage, answer["page"])

    async def procedures(
        self, scope: Scope, *, limit: Optional[int] = None
    ) -> AsyncIterator[ListedProcedure]:
        """Yields the procedures of a scope, with where each stands, in a fixed order that isn't of time."""
        cursor: Optional[str] = None
        while True:
            page = await self.procedures_page(scope, limit=limit, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def evaluations_page(
        self,
        scope: Scope,
        procedure_id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> AdmissionReceiptsPage:
        """Returns one page of the receipts of the evaluations of a procedure."""
        members = {"scope": scope, "procedure_id": procedure_id, "limit": limit, "cursor": cursor}
        answer = await self._calls.call("listEvaluations", document=versioned(given(members)))
        return cast(AdmissionReceiptsPage, answer["page"])

    async def evaluations(
        self, scope: Scope, procedure_id: str, *, limit: Optional[int] = None
    ) -> AsyncIterator[AdmissionReceipt]:
        """Yields the receipts of the evaluations of a procedure, in a fixed order that isn't of time."""
        cursor: Optional[str] = None
        while True:
            page = await self.evaluations_page(scope, procedure_id, limit=limit, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["next_cursor"]
            if cursor is None:
                return
